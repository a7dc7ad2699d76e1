import { type ResultOf, graphql } from '../graphql.ts'

const volumeRow = graphql(`
  fragment VolumeRow on Volume @_unmask {
    id
    name
    sizeGi
    storageClass
    state
    stateSince
    bound
    serial
    snapshotId
    deleting
    createdAt
    holder {
      id
      name
    }
    explanation {
      code
      summary
      nextStep
      whoCanFix
    }
    refusals {
      attach
      delete
      detach
      rename
      resize
      snapshot
    }
  }
`)

export type VolumeRow = ResultOf<typeof volumeRow>

export const volumeDocuments = {
  list: graphql(
    `
      query Volumes($first: Int!, $after: String, $filter: VolumeFilter, $orderBy: VolumeOrder) {
        volumes(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
          totalCount
          pageInfo {
            endCursor
            hasNextPage
          }
          nodes {
            ...VolumeRow
          }
        }
      }
    `,
    [volumeRow],
  ),
  one: graphql(
    `
      query Volume($id: ID!) {
        volume(id: $id) {
          ...VolumeRow
        }
      }
    `,
    [volumeRow],
  ),
  deletionImpact: graphql(`
    query VolumeDeletionImpact($id: ID!) {
      volume(id: $id) {
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
  create: graphql(
    `
      mutation CreateVolume($input: CreateVolumeInput!) {
        createVolume(input: $input) {
          volume {
            ...VolumeRow
          }
          operation {
            id
          }
        }
      }
    `,
    [volumeRow],
  ),
  update: graphql(
    `
      mutation UpdateVolume($input: UpdateVolumeInput!) {
        updateVolume(input: $input) {
          volume {
            ...VolumeRow
          }
          operation {
            id
          }
        }
      }
    `,
    [volumeRow],
  ),
  attach: graphql(
    `
      mutation AttachVolume($input: AttachVolumeInput!) {
        attachVolume(input: $input) {
          volume {
            ...VolumeRow
          }
          operation {
            id
          }
        }
      }
    `,
    [volumeRow],
  ),
  detach: graphql(
    `
      mutation DetachVolume($input: DetachVolumeInput!) {
        detachVolume(input: $input) {
          volume {
            ...VolumeRow
          }
          operation {
            id
          }
        }
      }
    `,
    [volumeRow],
  ),
  remove: graphql(
    `
      mutation DeleteVolume($input: DeleteVolumeInput!) {
        deleteVolume(input: $input) {
          volume {
            ...VolumeRow
          }
          operation {
            id
          }
        }
      }
    `,
    [volumeRow],
  ),
}
