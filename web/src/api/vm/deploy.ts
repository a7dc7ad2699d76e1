import { graphql } from '../graphql.ts'
import { quotaLine } from '../tenant/quota.ts'

/** What a new machine can be given, and how much room its tenant has left. */
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

/** Apart from the other documents of machines, which the page that deploys one does not need. */
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
