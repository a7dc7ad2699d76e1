import { buildSchema, findBreakingChanges } from 'graphql'

/** The files of `schema/` by name. */
export type Contract = Readonly<Record<string, string>>

/** Describes how the regenerated contract differs from the committed one. */
export function drift(committed: Contract, generated: Contract): string[] {
  return Object.entries(generated).flatMap(([name, text]) => {
    const before = committed[name]
    if (before === undefined) return [`schema/${name} is not committed`]
    return before === text
      ? []
      : [
          `schema/${name} is stale, first at line ${firstDifference(before, text)}: run the build's emit-schema and commit`,
        ]
  })
}

/** Describes the changes that break clients of the earlier contract. */
export function breakingChanges(before: string, after: string): string[] {
  return findBreakingChanges(buildSchema(before), buildSchema(after)).map(
    (change) => change.description,
  )
}

function firstDifference(before: string, after: string): number {
  const lines = after.split('\n')
  const index = before.split('\n').findIndex((line, number) => line !== lines[number])
  return (index === -1 ? before.split('\n').length : index) + 1
}
