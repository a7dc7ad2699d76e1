import { type ResultOf, graphql } from './graphql.ts'

// A list selects only the fields that a row shows, because the server's cost limit counts fields
// per row of a full page.
const operationRow = graphql(`
  fragment OperationRow on Operation @_unmask {
    id
    kind
    targetName
    actorName
    state
    progress
    cancelRequestedAt
    waitsFor
    createdAt
    steps {
      name
      title
      state
    }
    fault {
      code
      message
    }
  }
`)

const operationDetail = graphql(`
  fragment OperationDetail on Operation @_unmask {
    id
    kind
    targetKind
    targetId
    targetName
    actorName
    state
    progress
    cancellable
    cancelRequestedAt
    supersededBy
    waitsFor
    deadline
    createdAt
    startedAt
    finishedAt
    steps {
      name
      title
      state
      startedAt
      finishedAt
    }
    fault {
      code
      message
      remedy
    }
  }
`)

export type OperationRow = ResultOf<typeof operationRow>
export type OperationDetail = ResultOf<typeof operationDetail>

export const operationDocuments = {
  list: graphql(
    `
      query Operations($first: Int!, $after: String, $filter: OperationFilter) {
        operations(first: $first, after: $after, filter: $filter) {
          totalCount
          pageInfo {
            endCursor
            hasNextPage
          }
          nodes {
            ...OperationRow
          }
        }
      }
    `,
    [operationRow],
  ),
  one: graphql(
    `
      query Operation($id: ID!) {
        operation(id: $id) {
          ...OperationDetail
        }
      }
    `,
    [operationDetail],
  ),
  cancel: graphql(
    `
      mutation CancelOperation($input: CancelOperationInput!) {
        cancelOperation(input: $input) {
          operation {
            ...OperationDetail
          }
        }
      }
    `,
    [operationDetail],
  ),
}
