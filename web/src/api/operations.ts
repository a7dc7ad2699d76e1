import { type ResultOf, graphql } from './graphql.ts'

const operationRow = graphql(`
  fragment OperationRow on Operation @_unmask {
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
          ...OperationRow
        }
      }
    `,
    [operationRow],
  ),
  cancel: graphql(
    `
      mutation CancelOperation($input: CancelOperationInput!) {
        cancelOperation(input: $input) {
          operation {
            ...OperationRow
          }
        }
      }
    `,
    [operationRow],
  ),
}
