import { initGraphQLTada } from 'gql.tada'
import type { introspection } from './graphql-env.d.ts'

/** Typed documents. After a change of schema/schema.graphql: `gql.tada generate output` in web/ rewrites graphql-env.d.ts. */
export const graphql = initGraphQLTada<{
  introspection: introspection
  scalars: { DateTime: string }
}>()

export type { FragmentOf, ResultOf, VariablesOf } from 'gql.tada'
