import { type ResultOf, graphql } from '../graphql.ts'

const vmRow = graphql(`
  fragment VmRow on Vm @_unmask {
    id
    name
    displayName
    state
    stateSince
    explanation {
      code
      summary
    }
    cpu
    memoryMi
    serviceOfferingName
    templateName
    osType
    addresses
    diskProgress
    restartRequired
    createdAt
  }
`)

const vmDetail = graphql(
  `
    fragment VmDetail on Vm @_unmask {
      ...VmRow
      explanation {
        code
        summary
        cause
        nextStep
        since
        whoCanFix
      }
      actions {
        action
        allowed
        refusal
      }
      bootDiskSizeGi
      dedicatedCpu
      deleteProtection
      guestOs
      image
      isoInserted
      mac
      namespace
      nics {
        id
        name
        kind
        address
        seenAddress
        configuredInGuest
        cidr
        gateway
        mac
        isPrimary
        networkId
        networkName
        refusals {
          detach
        }
        state
        stateReason
        waitsFor
      }
      rootDisk
      secureBoot
      security {
        inForce
        groups {
          id
          name
        }
        rules {
          direction
          protocol
          cidr
          peerGroupId
          portFrom
          portTo
          groupId
          enforcement {
            nic
            enforced
            reason
          }
        }
      }
      serviceOfferingId
      sourceType
      ssh {
        state
        exposed
        nodePort
        explanation
      }
      storageClass
      tags
      templateId
      version
      wantedPower
    }
  `,
  [vmRow],
)

export type VmRow = ResultOf<typeof vmRow>
export type VmDetail = ResultOf<typeof vmDetail>
export type VmState = VmRow['state']
export type VmAction = VmDetail['actions'][number]['action']

export const vmDocuments = {
  list: graphql(
    `
      query Vms($first: Int!, $after: String, $filter: VmFilter, $orderBy: VmOrder) {
        vms(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
          totalCount
          pageInfo {
            endCursor
            hasNextPage
          }
          nodes {
            ...VmRow
          }
        }
      }
    `,
    [vmRow],
  ),
  byName: graphql(
    `
      query VmByName($name: String!) {
        vmByName(name: $name) {
          ...VmDetail
        }
      }
    `,
    [vmDetail],
  ),
  /** Read when a menu opens, because a list of ten thousand VMs does not carry their actions. */
  actions: graphql(`
    query VmActions($id: ID!) {
      vm(id: $id) {
        id
        actions {
          action
          allowed
          refusal
        }
      }
    }
  `),
  deletionImpact: graphql(`
    query VmDeletionImpact($id: ID!) {
      vm(id: $id) {
        id
        deletionImpact {
          refusal
          items {
            kind
            fate
            name
            sizeGi
            sentence
          }
        }
      }
    }
  `),
  update: graphql(
    `
      mutation UpdateVm($input: UpdateVmInput!) {
        updateVm(input: $input) {
          applies
          vm {
            ...VmDetail
          }
        }
      }
    `,
    [vmDetail],
  ),
  setSecurityGroups: graphql(
    `
      mutation SetVmSecurityGroups($input: SetVmSecurityGroupsInput!) {
        setVmSecurityGroups(input: $input) {
          vm {
            ...VmDetail
          }
        }
      }
    `,
    [vmDetail],
  ),
}
