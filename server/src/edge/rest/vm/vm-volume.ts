import { listResponse } from '../../../engine/rest/list-response.ts'
import { type OperationRow, operationField } from '../../../engine/rest/operation-body.ts'
import { RequestBody } from '../../../engine/rest/request-body.ts'
import { type RestRoute, defaultWaitSeconds, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { component, object, oneOf } from '../../../engine/rest/json-schema.ts'
import { namespaceField } from '../namespace-field.ts'
import { type VolumeRow, volume } from '../volume/volume-shape.ts'

const { id } = scalar

const attachment = new RequestBody({ volume_id: { schema: id, as: 'id' }, ...namespaceField })

const role = {
  ...oneOf('root', 'iso', 'data'),
  description: 'The root disk, the ISO of the installation, or an attached volume.',
}

/** A disk of a VM. Its root disk and its ISO cannot be detached. */
const disk = {
  ...volume.schema,
  component: { name: 'VmDisk', description: 'A disk of a VM. Only volumes can be detached.' },
  properties: { ...volume.schema.properties, role },
  required: [...(volume.schema.required ?? []), 'role'].filter((name) => name !== 'storage_class'),
}

interface OwnDisk {
  name: string
  storage_class: string | null
}

interface VmDisks {
  ownDisks: OwnDisk[]
  volumes: VolumeRow[]
}

interface AttachmentAnswer {
  answer: { volume: VolumeRow; operation: OperationRow }
}

const output = ({ answer }: AttachmentAnswer): object => ({ volume: volume.toWire(answer.volume) })
const accepted = { operationOf: ({ answer }: AttachmentAnswer): OperationRow => answer.operation }
const names = { id: 'volume_id', vmName: 'name' }

export const vmVolumeRoutes: RestRoute[] = [
  route<{ vmByName: VmDisks }>({
    method: 'GET',
    path: '/api/v1/vms/{name}/volumes',
    summary: 'List the disks of a VM: its root disk, its ISO and the attached volumes',
    tag: 'VMs',
    run: `query ListVmVolumes($name: String!) { vmByName(name: $name) { vm_id: id tenant_id: tenantId namespace created_at: createdAt
      ownDisks { id name: role size_gi: sizeGi storage_class: storageClass pvc_name: claimName }
      volumes { ${volume.selection} } } }`,
    input: ({ params }) => ({ name: params.name }),
    output: ({ vmByName: { ownDisks, volumes, ...ofVm } }) => ({
      volumes: [
        ...ownDisks.map(({ storage_class, ...disk }) => ({
          ...disk,
          ...ofVm,
          state: 'attached',
          storage_class: storage_class ?? undefined,
          role: disk.name,
        })),
        ...volume.toWireAll(volumes).map((each) => ({ ...each, role: 'data' })),
      ],
    }),
    status: 200,
    response: listResponse('VmDisk', 'volumes', disk),
  }),
  route<AttachmentAnswer>({
    method: 'POST',
    path: '/api/v1/vms/{name}/volumes',
    summary: 'Attach a volume to a VM, which may be running',
    tag: 'VMs',
    run: `mutation AttachVolume($input: AttachVolumeInput!, $waitSeconds: Int) {
      answer: attachVolume(input: $input, waitSeconds: $waitSeconds) { volume { ${volume.selection} } ${operationField} } }`,
    input: ({ params, body }) => ({
      input: { ...body, vmName: params.name },
    }),
    output,
    accepted,
    names,
    status: 200,
    request: attachment,
    response: component(
      { name: 'VolumeResult', description: 'One object.' },
      object({ volume: volume.schema }),
    ),
  }),
  route<AttachmentAnswer>({
    method: 'DELETE',
    path: '/api/v1/vms/{name}/volumes/{volume_id}',
    summary: 'Detach a volume from a VM, which may be running',
    tag: 'VMs',
    run: `mutation DetachVolume($input: DetachVolumeInput!, $waitSeconds: Int) {
      answer: detachVolume(input: $input, waitSeconds: $waitSeconds) { volume { ${volume.selection} } ${operationField} } }`,
    input: ({ params }) => ({ input: { id: params['volume_id'], vmName: params.name } }),
    output,
    accepted,
    names,
    defaultWaitSeconds,
    status: 200,
    response: component(
      { name: 'VolumeResult', description: 'One object.' },
      object({ volume: volume.schema }),
    ),
  }),
]
