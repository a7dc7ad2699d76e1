import { type ResultOf, graphql } from '../graphql.ts'

const vpcRow = graphql(`
  fragment VpcRow on Vpc @_unmask {
    id
    name
    cidr
    namespace
    isDefault
    state
    stateReason
    createdAt
    refusals {
      delete
    }
  }
`)

export type VpcRow = ResultOf<typeof vpcRow>

export const vpcDocuments = {
  list: graphql(
    `
      query Vpcs($first: Int!, $after: String, $filter: VpcFilter, $orderBy: VpcOrder) {
        vpcs(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
          totalCount
          pageInfo {
            endCursor
            hasNextPage
          }
          nodes {
            ...VpcRow
          }
        }
      }
    `,
    [vpcRow],
  ),
  create: graphql(
    `
      mutation CreateVpc($input: CreateVpcInput!) {
        createVpc(input: $input) {
          vpc {
            ...VpcRow
          }
          operation {
            id
          }
        }
      }
    `,
    [vpcRow],
  ),
  update: graphql(
    `
      mutation UpdateVpc($input: UpdateVpcInput!) {
        updateVpc(input: $input) {
          vpc {
            ...VpcRow
          }
        }
      }
    `,
    [vpcRow],
  ),
  remove: graphql(
    `
      mutation DeleteVpc($input: DeleteVpcInput!) {
        deleteVpc(input: $input) {
          vpc {
            ...VpcRow
          }
          operation {
            id
          }
        }
      }
    `,
    [vpcRow],
  ),
}
