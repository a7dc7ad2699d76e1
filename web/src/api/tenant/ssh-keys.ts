import { type ResultOf, graphql } from '../graphql.ts'

const sshKeyRow = graphql(`
  fragment SshKeyRow on SshKey @_unmask {
    id
    name
    fingerprint
    publicKey
    createdAt
  }
`)

export type SshKeyRow = ResultOf<typeof sshKeyRow>

export const sshKeyDocuments = {
  list: graphql(
    `
      query SshKeys($first: Int!, $after: String, $filter: SshKeyFilter, $orderBy: SshKeyOrder) {
        sshKeys(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
          totalCount
          pageInfo {
            endCursor
            hasNextPage
          }
          nodes {
            ...SshKeyRow
          }
        }
      }
    `,
    [sshKeyRow],
  ),
  create: graphql(
    `
      mutation CreateSshKey($input: CreateSshKeyInput!) {
        createSshKey(input: $input) {
          privateKeyPem
          sshKey {
            ...SshKeyRow
          }
        }
      }
    `,
    [sshKeyRow],
  ),
  register: graphql(
    `
      mutation RegisterSshKey($input: RegisterSshKeyInput!) {
        registerSshKey(input: $input) {
          sshKey {
            ...SshKeyRow
          }
        }
      }
    `,
    [sshKeyRow],
  ),
  remove: graphql(`
    mutation DeleteSshKey($input: DeleteSshKeyInput!) {
      deleteSshKey(input: $input) {
        sshKey {
          id
        }
      }
    }
  `),
}
