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
import { list, object } from '../../../engine/rest/shapes.ts'
import { success } from '../../../engine/rest/success.ts'
import { type VolumeRow, volumeFields, volumeSchema, wireVolume } from './volume-shape.ts'

const { id, text, whole } = scalar

export const volumeRoutes: RestRoute[] = [
  route<{ volumes: { nodes: VolumeRow[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/volumes',
    summary: 'List the volumes of the tenant',
    tag: 'Volumes',
    run: `query ListVolumes($first: Int, $after: String, $filter: VolumeFilter, $orderBy: VolumeOrder) {
      volumes(first: $first, after: $after, filter: $filter, orderBy: $orderBy) { nodes { ${volumeFields} } ${pageFields} } }`,
    input: ({ query }) => listing.variables(query),
    output: ({ volumes }) => ({ volumes: volumes.nodes.map(wireVolume) }),
    pageOf: ({ volumes }) => volumes.pageInfo,
    status: 200,
    query: listing.query,
    response: object({ volumes: list(volumeSchema) }),
  }),
  route<{ volume: VolumeRow }>({
    method: 'GET',
    path: '/api/v1/volumes/{id}',
    summary: 'Get a volume',
    tag: 'Volumes',
    run: `query GetVolume($id: ID!) { volume(id: $id) { ${volumeFields} } }`,
    input: ({ params }) => ({ id: params.id }),
    versionOf: ({ volume }) => volume.version,
    output: ({ volume }) => ({ volume: wireVolume(volume) }),
    status: 200,
    response: object({ volume: volumeSchema }),
  }),
  route<{ createVolume: { volume: VolumeRow; operation: JobRow } }>({
    method: 'POST',
    path: '/api/v1/volumes',
    summary: 'Make a volume, empty or as a snapshot was',
    tag: 'Volumes',
    run: `mutation CreateVolume($input: CreateVolumeInput!, $waitSeconds: Int) {
      createVolume(input: $input, waitSeconds: $waitSeconds) { volume { ${volumeFields} } ${jobFields} } }`,
    input: ({ body }) => ({
      input: {
        name: field.required(body, 'name'),
        sizeGi: field.positive(body, 'size_gi'),
        storageClass: field.text(body, 'storage_class'),
        snapshotId: field.text(body, 'snapshot_id'),
      },
    }),
    output: ({ createVolume }) => ({ volume: wireVolume(createVolume.volume) }),
    later: { operationOf: ({ createVolume }) => createVolume.operation },
    patienceSeconds,
    status: 201,
    request: object({ name: text, 'size_gi?': whole, 'storage_class?': text, 'snapshot_id?': id }),
    response: object({ volume: volumeSchema }),
  }),
  route<{ updateVolume: { volume: VolumeRow; operation: JobRow | null } }>({
    method: 'PATCH',
    path: '/api/v1/volumes/{id}',
    summary: 'Rename a volume, or let it grow',
    tag: 'Volumes',
    run: `mutation UpdateVolume($input: UpdateVolumeInput!, $waitSeconds: Int) {
      updateVolume(input: $input, waitSeconds: $waitSeconds) { volume { ${volumeFields} } ${jobFields} } }`,
    input: ({ params, body, ifVersion }) => ({
      input: {
        id: params.id,
        ifVersion,
        name: field.text(body, 'name'),
        sizeGi: field.positive(body, 'size_gi'),
      },
    }),
    versionOf: ({ updateVolume }) => updateVolume.volume.version,
    output: ({ updateVolume }) => ({ volume: wireVolume(updateVolume.volume) }),
    later: { operationOf: ({ updateVolume }) => updateVolume.operation },
    status: 200,
    request: object({ 'name?': text, 'size_gi?': whole }),
    response: object({ volume: volumeSchema }),
  }),
  route<{ deleteVolume: { operation: JobRow } }>({
    method: 'DELETE',
    path: '/api/v1/volumes/{id}',
    summary: 'Delete a volume and what is on it; its snapshots stay',
    tag: 'Volumes',
    run: `mutation DeleteVolume($input: DeleteVolumeInput!, $waitSeconds: Int) {
      deleteVolume(input: $input, waitSeconds: $waitSeconds) { ${jobFields} } }`,
    input: ({ params }) => ({ input: { id: params.id } }),
    output: () => ({ success: true }),
    later: { operationOf: ({ deleteVolume }) => deleteVolume.operation },
    patienceSeconds,
    status: 200,
    response: success,
  }),
]
