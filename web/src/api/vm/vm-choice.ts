import { graphql } from '../graphql.ts'

/** What is shown of a VM where one is picked by name. */
export const vmChoiceDocument = graphql(`
  query VmChoice($first: Int!, $after: String, $filter: VmFilter, $orderBy: VmOrder) {
    vms(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
      totalCount
      pageInfo {
        endCursor
        hasNextPage
      }
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
  }
`)
