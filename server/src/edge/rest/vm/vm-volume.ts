import { field } from '../../../engine/rest/field.ts'
import { type JobRow, jobFields } from '../../../engine/rest/later.ts'
import { type RestRoute, patienceSeconds, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object } from '../../../engine/rest/shapes.ts'
import { type VolumeRow, volumeFields, volumeSchema, wireVolume } from '../volume/volume-shape.ts'

const { id } = scalar

interface Moved {
  answer: { volume: VolumeRow; operation: JobRow }
}

const output = ({ answer }: Moved): object => ({ volume: wireVolume(answer.volume) })
const later = { operationOf: ({ answer }: Moved): JobRow => answer.operation }
const names = { vmName: 'name', id: 'volume_id' }

export const vmVolumeRoutes: RestRoute[] = [
  route<{ vmByName: { volumes: VolumeRow[] } }>({
    method: 'GET',
    path: '/api/v1/vms/{name}/volumes',
    summary: 'List the volumes of a VM',
    tag: 'VMs',
    run: `query ListVmVolumes($name: String!) { vmByName(name: $name) { volumes { ${volumeFields} } } }`,
    input: ({ params }) => ({ name: params.name }),
    output: ({ vmByName }) => ({ volumes: vmByName.volumes.map(wireVolume) }),
    status: 200,
    response: object({ volumes: list(volumeSchema) }),
  }),
  route<Moved>({
    method: 'POST',
    path: '/api/v1/vms/{name}/volumes',
    summary: 'Attach a volume to a VM, also while that runs',
    tag: 'VMs',
    run: `mutation AttachVolume($input: AttachVolumeInput!, $waitSeconds: Int) {
      answer: attachVolume(input: $input, waitSeconds: $waitSeconds) { volume { ${volumeFields} } ${jobFields} } }`,
    input: ({ params, body }) => ({
      input: { id: field.required(body, 'volume_id'), vmName: params.name },
    }),
    output,
    later,
    names,
    status: 200,
    request: object({ volume_id: id }),
    response: object({ volume: volumeSchema }),
  }),
  route<Moved>({
    method: 'DELETE',
    path: '/api/v1/vms/{name}/volumes/{volume_id}',
    summary: 'Detach a volume from a VM, also while that runs',
    tag: 'VMs',
    run: `mutation DetachVolume($input: DetachVolumeInput!, $waitSeconds: Int) {
      answer: detachVolume(input: $input, waitSeconds: $waitSeconds) { volume { ${volumeFields} } ${jobFields} } }`,
    input: ({ params }) => ({ input: { id: params['volume_id'], vmName: params.name } }),
    output,
    later,
    names,
    patienceSeconds,
    status: 200,
    response: object({ volume: volumeSchema }),
  }),
]
