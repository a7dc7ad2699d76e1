import { type JobRow, jobFields } from '../../../engine/rest/job.ts'
import { RequestBody } from '../../../engine/rest/request-body.ts'
import { type RestRoute, defaultWaitSeconds, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object } from '../../../engine/rest/json-schema.ts'
import { namespaceField } from '../namespace-field.ts'
import { type VolumeRow, volume } from '../volume/volume-shape.ts'

const { id } = scalar

const attachment = new RequestBody({ volume_id: { schema: id, as: 'id' }, ...namespaceField })

interface AttachmentAnswer {
  answer: { volume: VolumeRow; operation: JobRow }
}

const output = ({ answer }: AttachmentAnswer): object => ({ volume: volume.toWire(answer.volume) })
const accepted = { operationOf: ({ answer }: AttachmentAnswer): JobRow => answer.operation }
const names = { id: 'volume_id', vmName: 'name' }

export const vmVolumeRoutes: RestRoute[] = [
  route<{ vmByName: { volumes: VolumeRow[] } }>({
    method: 'GET',
    path: '/api/v1/vms/{name}/volumes',
    summary: 'List the volumes of a VM',
    tag: 'VMs',
    run: `query ListVmVolumes($name: String!) { vmByName(name: $name) { volumes { ${volume.selection} } } }`,
    input: ({ params }) => ({ name: params.name }),
    output: ({ vmByName }) => ({ volumes: volume.toWireAll(vmByName.volumes) }),
    status: 200,
    response: object({ volumes: list(volume.schema) }),
  }),
  route<AttachmentAnswer>({
    method: 'POST',
    path: '/api/v1/vms/{name}/volumes',
    summary: 'Attach a volume to a VM, which may be running',
    tag: 'VMs',
    run: `mutation AttachVolume($input: AttachVolumeInput!, $waitSeconds: Int) {
      answer: attachVolume(input: $input, waitSeconds: $waitSeconds) { volume { ${volume.selection} } ${jobFields} } }`,
    input: ({ params, body }) => ({
      input: { ...body, vmName: params.name },
    }),
    output,
    accepted,
    names,
    status: 200,
    request: attachment,
    response: object({ volume: volume.schema }),
  }),
  route<AttachmentAnswer>({
    method: 'DELETE',
    path: '/api/v1/vms/{name}/volumes/{volume_id}',
    summary: 'Detach a volume from a VM, which may be running',
    tag: 'VMs',
    run: `mutation DetachVolume($input: DetachVolumeInput!, $waitSeconds: Int) {
      answer: detachVolume(input: $input, waitSeconds: $waitSeconds) { volume { ${volume.selection} } ${jobFields} } }`,
    input: ({ params }) => ({ input: { id: params['volume_id'], vmName: params.name } }),
    output,
    accepted,
    names,
    defaultWaitSeconds,
    status: 200,
    response: object({ volume: volume.schema }),
  }),
]
