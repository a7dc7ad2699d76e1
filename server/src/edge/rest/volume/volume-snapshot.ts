import { field } from '../../../engine/rest/field.ts'
import { listing, pageFields } from '../../../engine/rest/input.ts'
import { type JobRow, jobFields } from '../../../engine/rest/later.ts'
import {
  type PageInfo,
  type RestRoute,
  patienceSeconds,
  route,
} from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object, oneOf } from '../../../engine/rest/shapes.ts'
import { success } from '../../../engine/rest/success.ts'

const { id, text, time } = scalar

const fields =
  'id tenant_id: tenantId volume_id: volumeId name namespace state version created_at: createdAt'

interface Snapshot {
  version: number
}

const wireSnapshot = (row: Snapshot): object =>
  Object.assign<Snapshot, object>(row, { version: undefined })

const states = ['creating', 'ready', 'failed', 'lost', 'deleting'] as const

const snapshot = object({
  id,
  tenant_id: id,
  volume_id: id,
  name: text,
  namespace: text,
  state: oneOf(...states),
  created_at: time,
})

export const volumeSnapshotRoutes: RestRoute[] = [
  route<{ volumeSnapshots: { nodes: Snapshot[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/snapshots',
    summary: 'List the snapshots of volumes',
    tag: 'Snapshots',
    run: `query ListVolumeSnapshots($first: Int, $after: String, $filter: VolumeSnapshotFilter, $orderBy: VolumeSnapshotOrder) {
      volumeSnapshots(first: $first, after: $after, filter: $filter, orderBy: $orderBy) { nodes { ${fields} } ${pageFields} } }`,
    input: ({ query }) => listing.variables(query),
    output: ({ volumeSnapshots }) => ({ snapshots: volumeSnapshots.nodes.map(wireSnapshot) }),
    pageOf: ({ volumeSnapshots }) => volumeSnapshots.pageInfo,
    status: 200,
    query: listing.query,
    response: object({ snapshots: list(snapshot) }),
  }),
  route<{ volumeSnapshot: Snapshot }>({
    method: 'GET',
    path: '/api/v1/snapshots/{id}',
    summary: 'Get a snapshot',
    tag: 'Snapshots',
    run: `query GetVolumeSnapshot($id: ID!) { volumeSnapshot(id: $id) { ${fields} } }`,
    input: ({ params }) => ({ id: params.id }),
    versionOf: ({ volumeSnapshot }) => volumeSnapshot.version,
    output: ({ volumeSnapshot }) => ({ snapshot: wireSnapshot(volumeSnapshot) }),
    status: 200,
    response: object({ snapshot }),
  }),
  route<{ createVolumeSnapshot: { volumeSnapshot: Snapshot; operation: JobRow } }>({
    method: 'POST',
    path: '/api/v1/snapshots',
    summary: 'Take a snapshot of a volume',
    tag: 'Snapshots',
    run: `mutation CreateVolumeSnapshot($input: CreateVolumeSnapshotInput!, $waitSeconds: Int) {
      createVolumeSnapshot(input: $input, waitSeconds: $waitSeconds) { volumeSnapshot { ${fields} } ${jobFields} } }`,
    input: ({ body }) => ({
      input: { volumeId: field.required(body, 'volume_id'), name: field.required(body, 'name') },
    }),
    output: ({ createVolumeSnapshot }) => ({
      snapshot: wireSnapshot(createVolumeSnapshot.volumeSnapshot),
    }),
    later: { operationOf: ({ createVolumeSnapshot }) => createVolumeSnapshot.operation },
    status: 201,
    request: object({ volume_id: id, name: text }),
    response: object({ snapshot }),
  }),
  route<{ deleteVolumeSnapshot: { operation: JobRow } }>({
    method: 'DELETE',
    path: '/api/v1/snapshots/{id}',
    summary: 'Delete a snapshot; volumes that began as it stay',
    tag: 'Snapshots',
    run: `mutation DeleteVolumeSnapshot($input: DeleteVolumeSnapshotInput!, $waitSeconds: Int) {
      deleteVolumeSnapshot(input: $input, waitSeconds: $waitSeconds) { ${jobFields} } }`,
    input: ({ params }) => ({ input: { id: params.id } }),
    output: () => ({ success: true }),
    later: { operationOf: ({ deleteVolumeSnapshot }) => deleteVolumeSnapshot.operation },
    patienceSeconds,
    status: 200,
    response: success,
  }),
]
