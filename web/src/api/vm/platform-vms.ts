import { type ResultOf, graphql } from '../graphql.ts'

const platformVmRow = graphql(`
  fragment PlatformVmRow on Vm @_unmask {
    id
    name
    tenantId
    tenantSlug
    templateName
    state
    diskProgress
    cpu
    memoryMi
    host
    addresses
    createdAt
  }
`)

export type PlatformVmRow = ResultOf<typeof platformVmRow>

export const platformVmDocuments = {
  list: graphql(
    `
      query PlatformVms(
        $first: Int!
        $after: String
        $filter: PlatformVmFilter
        $orderBy: PlatformVmOrder
      ) {
        platformVms(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
          totalCount
          pageInfo {
            endCursor
            hasNextPage
          }
          nodes {
            ...PlatformVmRow
          }
        }
      }
    `,
    [platformVmRow],
  ),
  /** The tenants to choose from. */
  tenants: graphql(`
    query PlatformVmTenants {
      tenants(first: 200, orderBy: { by: name, direction: asc }) {
        nodes {
          id
          name
        }
      }
    }
  `),
}
