import { field } from '../../../engine/rest/field.ts'
import { listing, pageFields } from '../../../engine/rest/input.ts'
import { type JobRow, jobFields } from '../../../engine/rest/later.ts'
import { type PageInfo, type RestInput, type RestRoute, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object } from '../../../engine/rest/shapes.ts'
import { type VmRow, vmFields, vmSchema, wireVm } from './vm-shape.ts'

const { flag, text, whole } = scalar

interface Created {
  createVm: { vm: VmRow; operation: JobRow }
}

const size = ({ body }: RestInput) => ({
  displayName: field.text(body, 'display_name'),
  serviceOfferingId: field.text(body, 'service_offering_id'),
  cpu: field.positive(body, 'cpu'),
  memoryMi: field.positive(body, 'memory_mi'),
  tags: field.texts(body, 'tags'),
})

const sizeSchema = {
  'display_name?': text,
  'service_offering_id?': text,
  'cpu?': whole,
  'memory_mi?': whole,
  'tags?': list(text),
}

/** None is what clients send that leave the choice to us. */
const chosen = (ids: string[] | undefined): string[] | undefined =>
  ids?.length === 0 ? undefined : ids

/**
 * Clients that choose among all networks name the public one by this id, which it has everywhere.
 */
const publicNetworkId = '00000000-0000-4000-8000-000000000001'

function networksIn(body: RestInput['body']): {
  networkIds: string[] | undefined
  publicIp: boolean
} {
  const ids = field.texts(body, 'network_ids') ?? []
  const publicIp = field.flag(body, 'public_ip') ?? ids.includes(publicNetworkId)
  return { networkIds: chosen(ids.filter((each) => each !== publicNetworkId)), publicIp }
}

function newVmOf(input: RestInput): object {
  const { body } = input
  const sshKeyId = field.text(body, 'ssh_key_id')
  return {
    ...size(input),
    name: field.required(body, 'name'),
    templateId: field.text(body, 'template_id'),
    image: field.text(body, 'image'),
    sshKeyIds: sshKeyId === undefined ? [] : [sshKeyId],
    securityGroupIds: chosen(field.texts(body, 'security_group_ids')),
    ...networksIn(body),
    dataVolumeId: field.text(body, 'data_volume_id'),
    dedicatedCpu: field.flag(body, 'dedicated_cpu'),
    cloudInitUserData: field.text(body, 'cloud_init_user_data'),
    cloudInitPassword: field.text(body, 'cloud_init_password'),
    exposeSsh: field.flag(body, 'expose_ssh'),
  }
}

export const vmRoutes: RestRoute[] = [
  route<{ vms: { nodes: VmRow[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/vms',
    summary: 'List the VMs of the tenant',
    tag: 'VMs',
    run: `query ListVms($first: Int, $after: String, $filter: VmFilter, $orderBy: VmOrder) {
      vms(first: $first, after: $after, filter: $filter, orderBy: $orderBy) { nodes { ${vmFields} } ${pageFields} } }`,
    input: ({ query }) => listing.variables(query),
    output: ({ vms }) => ({ vms: vms.nodes.map(wireVm) }),
    pageOf: ({ vms }) => vms.pageInfo,
    status: 200,
    query: listing.query,
    response: object({ vms: list(vmSchema) }),
  }),
  route<{ vmByName: VmRow }>({
    method: 'GET',
    path: '/api/v1/vms/{name}',
    summary: 'Get a VM',
    tag: 'VMs',
    run: `query GetVm($name: String!) { vmByName(name: $name) { ${vmFields} } }`,
    input: ({ params }) => ({ name: params.name }),
    // There is no explorer of logs elsewhere to point to.
    output: ({ vmByName }) => ({ vm: wireVm(vmByName), velas_url: '' }),
    versionOf: ({ vmByName }) => vmByName.version,
    status: 200,
    response: object({ vm: vmSchema, velas_url: text }),
  }),
  route<Created>({
    method: 'POST',
    path: '/api/v1/vms',
    summary: 'Deploy a VM and start it',
    tag: 'VMs',
    run: `mutation CreateVm($input: CreateVmInput!, $waitSeconds: Int) { createVm(input: $input, waitSeconds: $waitSeconds) {
      vm { ${vmFields} } ${jobFields} } }`,
    input: (input) => ({ input: newVmOf(input) }),
    output: ({ createVm }) => ({ vm: wireVm(createVm.vm) }),
    later: {
      operationOf: ({ createVm }) => createVm.operation,
      isAsked: ({ body }) => field.flag(body, 'async') ?? false,
    },
    names: { sshKeyIds: 'ssh_key_id' },
    status: 201,
    request: object({
      name: text,
      'template_id?': text,
      'image?': text,
      ...sizeSchema,
      'ssh_key_id?': text,
      'security_group_ids?': list(text),
      'network_ids?': list(text),
      'public_ip?': flag,
      'data_volume_id?': text,
      'dedicated_cpu?': flag,
      'cloud_init_user_data?': text,
      'cloud_init_password?': text,
      'expose_ssh?': flag,
      'async?': flag,
    }),
    response: object({ vm: vmSchema }),
  }),
  route<{ updateVm: { vm: VmRow; operation: JobRow | null } }>({
    method: 'PATCH',
    path: '/api/v1/vms/{name}',
    summary: 'Change a VM; a new size takes effect with its next start',
    tag: 'VMs',
    run: `mutation UpdateVm($input: UpdateVmInput!, $waitSeconds: Int) {
      updateVm(input: $input, waitSeconds: $waitSeconds) { vm { ${vmFields} } ${jobFields} } }`,
    input: (input) => ({
      input: { ...size(input), name: input.params.name, ifVersion: input.ifVersion },
    }),
    output: ({ updateVm }) => ({ vm: wireVm(updateVm.vm) }),
    versionOf: ({ updateVm }) => updateVm.vm.version,
    later: { operationOf: ({ updateVm }) => updateVm.operation },
    status: 200,
    request: object(sizeSchema),
    response: object({ vm: vmSchema }),
  }),
]
