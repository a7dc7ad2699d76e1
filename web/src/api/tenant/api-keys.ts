import { type ResultOf, graphql } from '../graphql.ts'

const apiKeyRow = graphql(`
  fragment ApiKeyRow on ApiKey @_unmask {
    id
    name
    username
    prefix
    scopes
    expiresAt
    lastUsedAt
    revokedAt
    createdAt
  }
`)

export type ApiKeyRow = ResultOf<typeof apiKeyRow>

export const apiKeyDocuments = {
  list: graphql(
    `
      query ApiKeys($first: Int!, $after: String) {
        apiKeys(first: $first, after: $after) {
          totalCount
          pageInfo {
            endCursor
            hasNextPage
          }
          nodes {
            ...ApiKeyRow
          }
        }
      }
    `,
    [apiKeyRow],
  ),
  create: graphql(
    `
      mutation CreateApiKey($input: CreateApiKeyInput!) {
        createApiKey(input: $input) {
          secret
          apiKey {
            ...ApiKeyRow
          }
        }
      }
    `,
    [apiKeyRow],
  ),
  revoke: graphql(
    `
      mutation RevokeApiKey($input: RevokeApiKeyInput!) {
        revokeApiKey(input: $input) {
          apiKey {
            ...ApiKeyRow
          }
        }
      }
    `,
    [apiKeyRow],
  ),
}
