import { buildSchema, findBreakingChanges } from 'graphql'

/** Files by name, as they lie in `schema/`. */
export type Contract = Readonly<Record<string, string>>

/** What a regenerated contract says differently from the committed one. */
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

/** What a client of the earlier contract would stumble over, in words. */
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
