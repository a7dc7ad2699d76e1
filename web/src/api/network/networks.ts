import { type ResultOf, graphql } from '../graphql.ts'

const networkRow = graphql(`
  fragment NetworkRow on Network @_unmask {
    id
    vpcId
    name
    cidr
    gateway
    isDefault
    driver
    mtu
    attachmentNamespace
    attachmentName
    state
    stateReason
    createdAt
    refusals {
      delete
    }
  }
`)

export type NetworkRow = ResultOf<typeof networkRow>

export type NetworkDetail = NonNullable<ResultOf<(typeof networkDocuments)['one']>['network']>

export const networkDocuments = {
  list: graphql(
    `
      query Networks($first: Int!, $after: String, $filter: NetworkFilter, $orderBy: NetworkOrder) {
        networks(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
          totalCount
          pageInfo {
            endCursor
            hasNextPage
          }
          nodes {
            ...NetworkRow
          }
        }
      }
    `,
    [networkRow],
  ),
  one: graphql(
    `
      query Network($id: ID!) {
        network(id: $id) {
          ...NetworkRow
          capacity
          reservedAddresses {
            address
            use
          }
        }
      }
    `,
    [networkRow],
  ),
  addresses: graphql(`
    query NetworkAddresses($first: Int!, $after: String, $networkId: ID!) {
      networkAddresses(first: $first, after: $after, networkId: $networkId) {
        totalCount
        pageInfo {
          endCursor
          hasNextPage
        }
        nodes {
          address
          mac
          nic
          vmName
          freeAt
        }
      }
    }
  `),
  create: graphql(
    `
      mutation CreateNetwork($input: CreateNetworkInput!) {
        createNetwork(input: $input) {
          network {
            ...NetworkRow
          }
          operation {
            id
          }
        }
      }
    `,
    [networkRow],
  ),
  update: graphql(
    `
      mutation UpdateNetwork($input: UpdateNetworkInput!) {
        updateNetwork(input: $input) {
          network {
            ...NetworkRow
          }
        }
      }
    `,
    [networkRow],
  ),
  remove: graphql(
    `
      mutation DeleteNetwork($input: DeleteNetworkInput!) {
        deleteNetwork(input: $input) {
          network {
            ...NetworkRow
          }
          operation {
            id
          }
        }
      }
    `,
    [networkRow],
  ),
}
