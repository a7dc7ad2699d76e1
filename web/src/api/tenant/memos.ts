import { type ResultOf, graphql } from '../graphql.ts'

const memoRow = graphql(`
  fragment MemoRow on Memo @_unmask {
    id
    name
    text
    createdAt
  }
`)

export type MemoRow = ResultOf<typeof memoRow>

export const memoDocuments = {
  list: graphql(
    `
      query Memos($first: Int!, $after: String, $filter: MemoFilter, $orderBy: MemoOrder) {
        memos(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
          totalCount
          pageInfo {
            endCursor
            hasNextPage
          }
          nodes {
            ...MemoRow
          }
        }
      }
    `,
    [memoRow],
  ),
  create: graphql(
    `
      mutation CreateMemo($input: CreateMemoInput!) {
        createMemo(input: $input) {
          memo {
            ...MemoRow
          }
        }
      }
    `,
    [memoRow],
  ),
  remove: graphql(`
    mutation DeleteMemo($input: DeleteMemoInput!) {
      deleteMemo(input: $input) {
        memo {
          id
        }
      }
    }
  `),
}
