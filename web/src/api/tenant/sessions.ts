import { type ResultOf, graphql } from '../graphql.ts'

const sessionRow = graphql(`
  fragment SessionRow on Session @_unmask {
    id
    username
    kind
    userAgent
    address
    isCurrent
    createdAt
    lastUsedAt
    expiresAt
  }
`)

export type SessionRow = ResultOf<typeof sessionRow>

export const sessionDocuments = {
  list: graphql(
    `
      query Sessions($first: Int!, $after: String) {
        sessions(first: $first, after: $after) {
          totalCount
          pageInfo {
            endCursor
            hasNextPage
          }
          nodes {
            ...SessionRow
          }
        }
      }
    `,
    [sessionRow],
  ),
  end: graphql(
    `
      mutation EndSession($input: EndSessionInput!) {
        endSession(input: $input) {
          session {
            ...SessionRow
          }
        }
      }
    `,
    [sessionRow],
  ),
}
