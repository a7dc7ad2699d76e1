import { initGraphQLTada } from 'gql.tada'
import type { introspection } from './graphql-env.d.ts'

const parsed = initGraphQLTada<{
  introspection: introspection
  scalars: { DateTime: string }
}>()
// All of it that matters here.
const parse = parsed as (...text: unknown[]) => { definitions: unknown }

/**
 * Typed documents, each of which is parsed when it is first asked: a page has many, and asks two to begin with. After a change of
 * schema/schema.graphql: `gql.tada generate output` in web/ rewrites graphql-env.d.ts.
 */
export const graphql = ((...text: unknown[]) => {
  let document: ReturnType<typeof parse> | undefined
  return {
    kind: 'Document',
    get definitions() {
      return (document ??= parse(...text)).definitions
    },
  }
}) as typeof parsed // the same documents of the same type, later

export type { FragmentOf, ResultOf, VariablesOf } from 'gql.tada'
