import { graphql } from '../graphql.ts'
import { quotaLine } from './quota.ts'

/** The counts on the overview page, limited to those that the viewer may see. */
export const overviewDocument = graphql(
  `
    query Overview($inTenant: Boolean!, $seesTenants: Boolean!, $seesUsers: Boolean!) {
      dashboard @include(if: $inTenant) {
        health
        vms
        vmsRunning
        vmsFailed
        vmsChanging
        volumes
      }
      viewer @include(if: $inTenant) {
        id
        tenant {
          id
          quota {
            ...QuotaLine
          }
        }
      }
      running: operations(first: 1, filter: { states: [pending, running] }) {
        totalCount
      }
      failed: operations(first: 1, filter: { states: [failed] }) {
        totalCount
      }
      tenants(first: 1) @include(if: $seesTenants) {
        totalCount
      }
      users(first: 1) @include(if: $seesUsers) {
        totalCount
      }
    }
  `,
  [quotaLine],
)
