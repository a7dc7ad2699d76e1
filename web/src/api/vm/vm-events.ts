import { type ResultOf, graphql } from '../graphql.ts'

const vmEventRow = graphql(`
  fragment VmEventRow on VmEvent @_unmask {
    id
    at
    code
    summary
    fromState
    toState
    explanation {
      code
      summary
      cause
    }
  }
`)

export type VmEventRow = ResultOf<typeof vmEventRow>

export const vmEventDocuments = {
  list: graphql(
    `
      query VmEvents($first: Int!, $after: String, $vmId: ID!) {
        vmEvents(first: $first, after: $after, vmId: $vmId) {
          totalCount
          pageInfo {
            endCursor
            hasNextPage
          }
          nodes {
            ...VmEventRow
          }
        }
      }
    `,
    [vmEventRow],
  ),
}
