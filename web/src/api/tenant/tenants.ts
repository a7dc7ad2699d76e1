import { type ResultOf, graphql } from '../graphql.ts'
import { quotaLine } from './quota.ts'

const tenantRow = graphql(`
  fragment TenantRow on Tenant @_unmask {
    id
    name
    slug
    namespace
    description
    state
    stateReason
    version
    createdAt
    refusals {
      delete
      update
    }
  }
`)

export type TenantRow = ResultOf<typeof tenantRow>

export const tenantDocuments = {
  list: graphql(
    `
      query Tenants($first: Int!, $after: String, $filter: TenantFilter, $orderBy: TenantOrder) {
        tenants(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
          totalCount
          pageInfo {
            endCursor
            hasNextPage
          }
          nodes {
            ...TenantRow
          }
        }
      }
    `,
    [tenantRow],
  ),
  create: graphql(
    `
      mutation CreateTenant($input: CreateTenantInput!) {
        createTenant(input: $input) {
          tenant {
            ...TenantRow
          }
          adminUser {
            id
            username
          }
          operation {
            id
          }
        }
      }
    `,
    [tenantRow],
  ),
  update: graphql(
    `
      mutation UpdateTenant($input: UpdateTenantInput!) {
        updateTenant(input: $input) {
          tenant {
            ...TenantRow
          }
        }
      }
    `,
    [tenantRow],
  ),
  quota: graphql(
    `
      query TenantQuota($id: ID!) {
        tenant(id: $id) {
          ...TenantRow
          quota {
            ...QuotaLine
          }
        }
      }
    `,
    [tenantRow, quotaLine],
  ),
  updateQuota: graphql(
    `
      mutation UpdateTenantQuota($input: UpdateTenantQuotaInput!) {
        updateTenantQuota(input: $input) {
          tenant {
            ...TenantRow
          }
        }
      }
    `,
    [tenantRow],
  ),
  remove: graphql(
    `
      mutation DeleteTenant($input: DeleteTenantInput!) {
        deleteTenant(input: $input) {
          tenant {
            ...TenantRow
          }
          operation {
            id
          }
        }
      }
    `,
    [tenantRow],
  ),
}
