import { initGraphQLTada } from 'gql.tada'
import type { introspection } from './graphql-env.d.ts'

const parsed = initGraphQLTada<{
  introspection: introspection
  scalars: { DateTime: string }
}>()
// All of it that matters here.
const parse = parsed as (...text: unknown[]) => { definitions: unknown }

/**
 * Typed documents, each of which is parsed when it is first asked: a page has many, and asks two to
 * begin with. After a change of schema/schema.graphql: `gql.tada generate output` in web/ rewrites
 * graphql-env.d.ts.
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
}) as typeof parsed // the same documents of the same type, later

const texts = new WeakMap<object, string>()

/** What its operation is called, without parsing it. */
export const nameOf = (document: object): string | undefined =>
  /\bquery (\w+)/.exec(texts.get(document) ?? '')?.[1]

export type { FragmentOf, ResultOf, VariablesOf } from 'gql.tada'
