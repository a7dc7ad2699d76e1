import { buildSchema, findBreakingChanges } from 'graphql'
import { type OpenApiDocument, openApiBreaks } from './openapi-breaks.ts'

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

/** Describes the changes of both interfaces that break clients of the earlier contract. */
export function breakingChanges(before: Contract, after: Contract): string[] {
  const [oldSdl, newSdl] = [before[sdlFile], after[sdlFile]]
  const [oldRest, newRest] = [before[restFile], after[restFile]]
  return [
    ...(oldSdl && newSdl
      ? findBreakingChanges(buildSchema(oldSdl), buildSchema(newSdl)).map(
          ({ description }) => description,
        )
      : []),
    ...(oldRest && newRest ? openApiBreaks(documentIn(oldRest), documentIn(newRest)) : []),
  ]
}

const sdlFile = 'schema.graphql'
const restFile = 'rest.openapi.json'

// The server printed the file from such a document.
const documentIn = (text: string): OpenApiDocument => JSON.parse(text) as OpenApiDocument

/** True when the message of a commit has a line that tells why it may break clients. */
export const explainsBreak = (message: string): boolean => /^Breaks: \S/m.test(message)

function firstDifference(before: string, after: string): number {
  const lines = after.split('\n')
  const index = before.split('\n').findIndex((line, number) => line !== lines[number])
  return (index === -1 ? before.split('\n').length : index) + 1
}
