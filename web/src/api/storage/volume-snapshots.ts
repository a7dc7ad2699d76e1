import { type ResultOf, graphql } from '../graphql.ts'

const volumeSnapshotRow = graphql(`
  fragment VolumeSnapshotRow on VolumeSnapshot @_unmask {
    id
    name
    volumeId
    volumeName
    sizeGi
    storageClass
    state
    stateSince
    deleting
    createdAt
    explanation {
      code
      summary
      nextStep
      whoCanFix
    }
    refusals {
      restore
    }
  }
`)

export type VolumeSnapshotRow = ResultOf<typeof volumeSnapshotRow>

export const volumeSnapshotDocuments = {
  list: graphql(
    `
      query VolumeSnapshots(
        $first: Int!
        $after: String
        $filter: VolumeSnapshotFilter
        $orderBy: VolumeSnapshotOrder
      ) {
        volumeSnapshots(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
          totalCount
          pageInfo {
            endCursor
            hasNextPage
          }
          nodes {
            ...VolumeSnapshotRow
          }
        }
      }
    `,
    [volumeSnapshotRow],
  ),
  create: graphql(
    `
      mutation CreateVolumeSnapshot($input: CreateVolumeSnapshotInput!) {
        createVolumeSnapshot(input: $input) {
          volumeSnapshot {
            ...VolumeSnapshotRow
          }
          operation {
            id
          }
        }
      }
    `,
    [volumeSnapshotRow],
  ),
  remove: graphql(
    `
      mutation DeleteVolumeSnapshot($input: DeleteVolumeSnapshotInput!) {
        deleteVolumeSnapshot(input: $input) {
          volumeSnapshot {
            ...VolumeSnapshotRow
          }
          operation {
            id
          }
        }
      }
    `,
    [volumeSnapshotRow],
  ),
}
