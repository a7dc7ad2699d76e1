import { type ResultOf, graphql } from '../graphql.ts'

const userRow = graphql(`
  fragment UserRow on User @_unmask {
    id
    username
    email
    role
    roleId
    roleName
    state
    hasSecondFactor
    version
    createdAt
  }
`)

export type UserRow = ResultOf<typeof userRow>

export const userDocuments = {
  list: graphql(
    `
      query Users($first: Int!, $after: String, $filter: UserFilter) {
        users(first: $first, after: $after, filter: $filter) {
          totalCount
          pageInfo {
            endCursor
            hasNextPage
          }
          nodes {
            ...UserRow
          }
        }
      }
    `,
    [userRow],
  ),
  create: graphql(
    `
      mutation CreateUser($input: CreateUserInput!) {
        createUser(input: $input) {
          user {
            ...UserRow
          }
        }
      }
    `,
    [userRow],
  ),
  update: graphql(
    `
      mutation UpdateUser($input: UpdateUserInput!) {
        updateUser(input: $input) {
          user {
            ...UserRow
          }
        }
      }
    `,
    [userRow],
  ),
  remove: graphql(`
    mutation DeleteUser($input: DeleteUserInput!) {
      deleteUser(input: $input) {
        user {
          id
        }
      }
    }
  `),
}
