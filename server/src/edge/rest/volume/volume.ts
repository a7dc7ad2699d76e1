import { listParameters, listVariables, pageFields } from '../../../engine/rest/request-query.ts'
import { type JobRow, jobFields } from '../../../engine/rest/job.ts'
import {
  type PageInfo,
  type RestRoute,
  defaultWaitSeconds,
  route,
} from '../../../engine/rest/route.ts'
import { list, object } from '../../../engine/rest/json-schema.ts'
import { success } from '../../../engine/rest/success.ts'
import { type VolumeRow, newVolume, volume, volumeChange } from './volume-shape.ts'

export const volumeRoutes: RestRoute[] = [
  route<{ volumes: { nodes: VolumeRow[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/volumes',
    summary: 'List the volumes of the tenant',
    tag: 'Volumes',
    run: `query ListVolumes($first: Int, $after: String, $filter: VolumeFilter, $orderBy: VolumeOrder) {
      volumes(first: $first, after: $after, filter: $filter, orderBy: $orderBy) { nodes { ${volume.selection} } ${pageFields} } }`,
    input: ({ query }) => listVariables(query),
    output: ({ volumes }) => ({ volumes: volume.toWireAll(volumes.nodes) }),
    pageOf: ({ volumes }) => volumes.pageInfo,
    status: 200,
    query: listParameters,
    response: object({ volumes: list(volume.schema) }),
  }),
  route<{ volume: VolumeRow }>({
    method: 'GET',
    path: '/api/v1/volumes/{id}',
    summary: 'Get a volume',
    tag: 'Volumes',
    run: `query GetVolume($id: ID!) { volume(id: $id) { ${volume.selection} } }`,
    input: ({ params }) => ({ id: params.id }),
    versionOf: (answer) => answer.volume.version,
    output: (answer) => ({ volume: volume.toWire(answer.volume) }),
    status: 200,
    response: object({ volume: volume.schema }),
  }),
  route<{ createVolume: { volume: VolumeRow; operation: JobRow } }>({
    method: 'POST',
    path: '/api/v1/volumes',
    summary: 'Create a volume, empty or from a snapshot',
    tag: 'Volumes',
    run: `mutation CreateVolume($input: CreateVolumeInput!, $waitSeconds: Int) {
      createVolume(input: $input, waitSeconds: $waitSeconds) { volume { ${volume.selection} } ${jobFields} } }`,
    input: ({ body }) => ({ input: body }),
    output: ({ createVolume }) => ({ volume: volume.toWire(createVolume.volume) }),
    accepted: { operationOf: ({ createVolume }) => createVolume.operation },
    defaultWaitSeconds,
    status: 201,
    created: '/api/v1/volumes/{id}',
    request: newVolume,
    response: object({ volume: volume.schema }),
  }),
  route<{ updateVolume: { volume: VolumeRow; operation: JobRow | null } }>({
    method: 'PATCH',
    path: '/api/v1/volumes/{id}',
    summary: 'Rename a volume, or make it larger',
    tag: 'Volumes',
    run: `mutation UpdateVolume($input: UpdateVolumeInput!, $waitSeconds: Int) {
      updateVolume(input: $input, waitSeconds: $waitSeconds) { volume { ${volume.selection} } ${jobFields} } }`,
    input: ({ params, body }) => ({ input: { id: params.id, ...body } }),
    takesVersion: true,
    versionOf: ({ updateVolume }) => updateVolume.volume.version,
    output: ({ updateVolume }) => ({ volume: volume.toWire(updateVolume.volume) }),
    accepted: { operationOf: ({ updateVolume }) => updateVolume.operation },
    status: 200,
    request: volumeChange,
    response: object({ volume: volume.schema }),
  }),
  route<{ deleteVolume: { operation: JobRow } }>({
    method: 'DELETE',
    path: '/api/v1/volumes/{id}',
    summary: 'Delete a volume and its data; its snapshots remain',
    tag: 'Volumes',
    run: `mutation DeleteVolume($input: DeleteVolumeInput!, $waitSeconds: Int) {
      deleteVolume(input: $input, waitSeconds: $waitSeconds) { ${jobFields} } }`,
    input: ({ params }) => ({ input: { id: params.id } }),
    takesVersion: true,
    output: () => ({ success: true }),
    accepted: { operationOf: ({ deleteVolume }) => deleteVolume.operation },
    defaultWaitSeconds,
    status: 200,
    response: success,
  }),
]
