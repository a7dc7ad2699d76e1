import { graphql } from '../graphql.ts'

/** The fields that a picker of VMs shows. */
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
