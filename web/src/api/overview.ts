import { graphql } from './graphql.ts'

export const overviewDocument = graphql(`
  query Overview($seesTenants: Boolean!, $seesUsers: Boolean!, $seesOfferings: Boolean!) {
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
    roles(first: 1) @include(if: $seesUsers) {
      totalCount
    }
    serviceOfferings(first: 1) @include(if: $seesOfferings) {
      totalCount
    }
    apiKeys(first: 1) {
      totalCount
    }
  }
`)
