import { type ResultOf, graphql } from '../graphql.ts'

const roleRow = graphql(`
  fragment RoleRow on Role @_unmask {
    id
    name
    description
    isSystem
    permissions
    version
  }
`)

export type RoleRow = ResultOf<typeof roleRow>

export const roleDocuments = {
  list: graphql(
    `
      query Roles($first: Int!, $after: String) {
        roles(first: $first, after: $after) {
          totalCount
          pageInfo {
            endCursor
            hasNextPage
          }
          nodes {
            ...RoleRow
          }
        }
      }
    `,
    [roleRow],
  ),
  create: graphql(
    `
      mutation CreateRole($input: CreateRoleInput!) {
        createRole(input: $input) {
          role {
            ...RoleRow
          }
        }
      }
    `,
    [roleRow],
  ),
  update: graphql(
    `
      mutation UpdateRole($input: UpdateRoleInput!) {
        updateRole(input: $input) {
          role {
            ...RoleRow
          }
        }
      }
    `,
    [roleRow],
  ),
  remove: graphql(`
    mutation DeleteRole($input: DeleteRoleInput!) {
      deleteRole(input: $input) {
        role {
          id
        }
      }
    }
  `),
}
