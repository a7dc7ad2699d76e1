import { type ResultOf, graphql } from '../graphql.ts'

const vmSnapshotRow = graphql(`
  fragment VmSnapshotRow on VmSnapshot @_unmask {
    id
    name
    vmId
    vmName
    cpu
    memoryMi
    state
    stateSince
    coverage
    consistency
    origin
    deleting
    takenAt
    createdAt
    disks {
      name
      sizeGi
      included
      reason
    }
    explanation {
      code
      summary
      nextStep
      whoCanFix
    }
    refusals {
      use
    }
  }
`)

export type VmSnapshotRow = ResultOf<typeof vmSnapshotRow>

export const vmSnapshotDocuments = {
  list: graphql(
    `
      query VmSnapshots(
        $first: Int!
        $after: String
        $filter: VmSnapshotFilter
        $orderBy: VmSnapshotOrder
      ) {
        vmSnapshots(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
          totalCount
          pageInfo {
            endCursor
            hasNextPage
          }
          nodes {
            ...VmSnapshotRow
          }
        }
      }
    `,
    [vmSnapshotRow],
  ),
  one: graphql(
    `
      query VmSnapshot($id: ID!) {
        vmSnapshot(id: $id) {
          ...VmSnapshotRow
        }
      }
    `,
    [vmSnapshotRow],
  ),
  create: graphql(
    `
      mutation CreateVmSnapshot($input: CreateVmSnapshotInput!) {
        createVmSnapshot(input: $input) {
          vmSnapshot {
            ...VmSnapshotRow
          }
          operation {
            id
          }
        }
      }
    `,
    [vmSnapshotRow],
  ),
  restore: graphql(`
    mutation RestoreVm($input: RestoreVmInput!) {
      restoreVm(input: $input) {
        vm {
          id
          name
        }
        operation {
          id
        }
      }
    }
  `),
  clone: graphql(`
    mutation CloneVmSnapshot($input: CloneVmSnapshotInput!) {
      cloneVmSnapshot(input: $input) {
        vm {
          id
          name
        }
        operation {
          id
        }
      }
    }
  `),
  remove: graphql(
    `
      mutation DeleteVmSnapshot($input: DeleteVmSnapshotInput!) {
        deleteVmSnapshot(input: $input) {
          vmSnapshot {
            ...VmSnapshotRow
          }
          operation {
            id
          }
        }
      }
    `,
    [vmSnapshotRow],
  ),
}
