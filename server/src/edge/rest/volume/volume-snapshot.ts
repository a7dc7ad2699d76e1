import { ResponseShape, hidden } from '../../../engine/rest/response-shape.ts'
import { listParameters, listVariables, pageFields } from '../../../engine/rest/request-query.ts'
import { type JobRow, jobFields } from '../../../engine/rest/job.ts'
import { RequestBody, nameField } from '../../../engine/rest/request-body.ts'
import {
  type PageInfo,
  type RestRoute,
  type Versioned,
  defaultWaitSeconds,
  route,
} from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object, oneOf } from '../../../engine/rest/json-schema.ts'
import { success } from '../../../engine/rest/success.ts'
import { namespaceField } from '../namespace-field.ts'

const { id, text, time } = scalar

const states = ['creating', 'ready', 'failed', 'lost', 'deleting'] as const

const snapshot = new ResponseShape<Versioned>({
  id,
  tenant_id: id,
  volume_id: id,
  name: text,
  namespace: text,
  state: oneOf(...states),
  version: hidden,
  created_at: time,
})

const newSnapshot = new RequestBody({ volume_id: id, name: nameField(), ...namespaceField })

export const volumeSnapshotRoutes: RestRoute[] = [
  route<{ volumeSnapshots: { nodes: Versioned[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/snapshots',
    summary: 'List the snapshots of volumes',
    tag: 'Snapshots',
    run: `query ListVolumeSnapshots($first: Int, $after: String, $filter: VolumeSnapshotFilter, $orderBy: VolumeSnapshotOrder) {
      volumeSnapshots(first: $first, after: $after, filter: $filter, orderBy: $orderBy) { nodes { ${snapshot.selection} } ${pageFields} } }`,
    input: ({ query }) => listVariables(query),
    output: ({ volumeSnapshots }) => ({ snapshots: snapshot.toWireAll(volumeSnapshots.nodes) }),
    pageOf: ({ volumeSnapshots }) => volumeSnapshots.pageInfo,
    status: 200,
    query: listParameters,
    response: object({ snapshots: list(snapshot.schema) }),
  }),
  route<{ volumeSnapshot: Versioned }>({
    method: 'GET',
    path: '/api/v1/snapshots/{id}',
    summary: 'Get a snapshot',
    tag: 'Snapshots',
    run: `query GetVolumeSnapshot($id: ID!) { volumeSnapshot(id: $id) { ${snapshot.selection} } }`,
    input: ({ params }) => ({ id: params.id }),
    versionOf: ({ volumeSnapshot }) => volumeSnapshot.version,
    output: ({ volumeSnapshot }) => ({ snapshot: snapshot.toWire(volumeSnapshot) }),
    status: 200,
    response: object({ snapshot: snapshot.schema }),
  }),
  route<{ createVolumeSnapshot: { volumeSnapshot: Versioned; operation: JobRow } }>({
    method: 'POST',
    path: '/api/v1/snapshots',
    summary: 'Take a snapshot of a volume',
    tag: 'Snapshots',
    run: `mutation CreateVolumeSnapshot($input: CreateVolumeSnapshotInput!, $waitSeconds: Int) {
      createVolumeSnapshot(input: $input, waitSeconds: $waitSeconds) { volumeSnapshot { ${snapshot.selection} } ${jobFields} } }`,
    input: ({ body }) => ({ input: body }),
    output: ({ createVolumeSnapshot }) => ({
      snapshot: snapshot.toWire(createVolumeSnapshot.volumeSnapshot),
    }),
    accepted: { operationOf: ({ createVolumeSnapshot }) => createVolumeSnapshot.operation },
    status: 201,
    created: '/api/v1/snapshots/{id}',
    request: newSnapshot,
    response: object({ snapshot: snapshot.schema }),
  }),
  route<{ deleteVolumeSnapshot: { operation: JobRow } }>({
    method: 'DELETE',
    path: '/api/v1/snapshots/{id}',
    summary: 'Delete a snapshot; volumes created from it remain',
    tag: 'Snapshots',
    run: `mutation DeleteVolumeSnapshot($input: DeleteVolumeSnapshotInput!, $waitSeconds: Int) {
      deleteVolumeSnapshot(input: $input, waitSeconds: $waitSeconds) { ${jobFields} } }`,
    input: ({ params }) => ({ input: { id: params.id } }),
    takesVersion: true,
    output: () => ({ success: true }),
    accepted: { operationOf: ({ deleteVolumeSnapshot }) => deleteVolumeSnapshot.operation },
    defaultWaitSeconds,
    status: 200,
    response: success,
  }),
]
