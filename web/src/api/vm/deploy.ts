import { graphql } from '../graphql.ts'
import { quotaLine } from '../tenant/quota.ts'

/** The options for a new VM, and the quota of its tenant. */
export const deployChoicesDocument = graphql(
  `
    query DeployChoices($seesGroups: Boolean!, $seesNetworks: Boolean!, $seesVolumes: Boolean!) {
      networks(first: 100, orderBy: { by: name }) @include(if: $seesNetworks) {
        nodes {
          id
          name
          cidr
          state
          stateReason
        }
      }
      securityGroups(first: 100, orderBy: { by: default }) @include(if: $seesGroups) {
        nodes {
          id
          name
          description
          isDefault
        }
      }
      volumes(first: 100, filter: { states: [ready] }, orderBy: { by: name })
        @include(if: $seesVolumes) {
        nodes {
          id
          name
          sizeGi
          refusals {
            attach
          }
        }
      }
      viewer {
        id
        tenant {
          id
          quota {
            ...QuotaLine
          }
        }
      }
    }
  `,
  [quotaLine],
)

/** Separate from the other VM documents, which the deploy page does not need. */
export const createVmDocument = graphql(`
  mutation CreateVm($input: CreateVmInput!) {
    createVm(input: $input) {
      vm {
        id
        name
      }
      operation {
        id
      }
    }
  }
`)
