import { type ResultOf, graphql } from './graphql.ts'

/**
 * The palette's search: rows of any kind by name, VMs with the actions they allow now, and tenants
 * for root.
 */
export const searchDocument = graphql(`
  query Search($text: String!, $vm: String!, $seesVms: Boolean!, $isRoot: Boolean!) {
    search(text: $text) {
      id
      kind
      name
      detail
    }
    vms(first: 5, filter: { search: $vm }, orderBy: { by: name }) @include(if: $seesVms) {
      nodes {
        id
        name
        state
        actions {
          action
          refusal
        }
      }
    }
    tenants(first: 5, filter: { search: $text, state: active }, orderBy: { by: name })
      @include(if: $isRoot) {
      nodes {
        id
        name
        slug
      }
    }
  }
`)

export type SearchAnswer = ResultOf<typeof searchDocument>
export type FoundVm = NonNullable<SearchAnswer['vms']>['nodes'][number]
