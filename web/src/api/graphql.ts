import { initGraphQLTada } from 'gql.tada'
import type { introspection } from './graphql-env.d.ts'

const parsed = initGraphQLTada<{
  introspection: introspection
  scalars: { DateTime: string }
}>()
// Only these parts of its type matter here.
const parse = parsed as (...text: unknown[]) => { definitions: unknown }

/**
 * Creates a typed document, which is parsed on first use: a page has many documents and its first
 * load uses two. After a change of schema/schema.graphql, run `gql.tada generate output` in web/ to
 * rewrite graphql-env.d.ts.
 */
export const graphql = ((...text: unknown[]) => {
  let parsedText: ReturnType<typeof parse> | undefined
  const document = {
    kind: 'Document',
    get definitions() {
      return (parsedText ??= parse(...text)).definitions
    },
  }
  texts.set(document, String(text[0]))
  return document
}) as typeof parsed // It makes the same documents, only later.

const texts = new WeakMap<object, string>()

/** Returns the name of the document's query without parsing it. */
export const nameOf = (document: object): string | undefined =>
  /\bquery (\w+)/.exec(texts.get(document) ?? '')?.[1]

export type { FragmentOf, ResultOf, VariablesOf } from 'gql.tada'
