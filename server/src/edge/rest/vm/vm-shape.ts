import { ResponseShape, hidden, listOf } from '../../../engine/rest/response-shape.ts'
import { type Body, field } from '../../../engine/rest/field.ts'
import { RequestBody } from '../../../engine/rest/request-body.ts'
import { type Versioned } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, oneOf } from '../../../engine/rest/json-schema.ts'

const { flag, id, text, time, whole } = scalar

interface Nic {
  name: string
  type: 'pod' | 'private' | 'public'
  ip: string | null
  mac: string
  network_id: string | null
  nad_namespace: string | null
  nad_name: string | null
  observedIp: string | null
  vpcId: string | null
}

const nic = new ResponseShape({
  name: text,
  'ip?': { schema: text, from: 'address' },
  'mac?': text,
  'type?': { schema: oneOf('pod', 'multus'), from: 'kind' },
  'network_id?': id,
  'nad_namespace?': { schema: text, from: 'attachmentNamespace' },
  'nad_name?': { schema: text, from: 'attachmentName' },
  observedIp: { ...hidden, from: 'seenAddress' },
  vpcId: hidden,
})

/** Older clients know the NIC on the cluster network as `default`. */
const wireNic = (row: Nic): object => ({
  name: row.type === 'pod' ? 'default' : row.name,
  type: row.type === 'pod' ? 'pod' : 'multus',
  ip: row.ip ?? row.observedIp ?? undefined,
  mac: row.mac,
  network_id: row.network_id ?? undefined,
  nad_namespace: row.nad_namespace ?? undefined,
  nad_name: row.nad_name ?? undefined,
})

/** A VM as the document returns it. */
export interface VmRow extends Versioned {
  name: string
  state: string
  error_message: { summary: string } | null
  ip: string | null
  nics: Nic[]
  template_ref: string | null
  service_offering_id: string | null
  power_state: 'on' | 'off'
}

/** A VM as REST returns it. */
interface WireVm {
  error_message: VmRow['error_message'] | string | undefined
  ip: string | null | undefined
  nics: object[]
  vpc_id?: string | undefined
  template_ref: string | null | undefined
  service_offering_id: string | null | undefined
  power_state: string
  version: number | undefined
  hypervisor?: string
}

class VmShape extends ResponseShape<VmRow> {
  /** Assigns field by field: a loop over the table costs a long list as much as serializing it. */
  override toWire(row: VmRow): object {
    const wired: WireVm = row
    wired.error_message = row.state === 'Error' ? row.error_message?.summary : undefined
    wired.ip = row.ip ?? undefined
    // Older clients know only one VPC of a VM: the one of its first private network.
    wired.vpc_id = row.nics.find(({ vpcId }) => vpcId !== null)?.vpcId ?? undefined
    wired.nics = row.nics.map(wireNic)
    wired.template_ref = row.template_ref ?? undefined
    wired.service_offering_id = row.service_offering_id ?? undefined
    wired.power_state = row.power_state === 'on' ? 'Running' : 'Halted'
    wired.version = undefined
    wired.hypervisor = 'KubeVirt'
    return wired
  }
}

export const vm = new VmShape({
  id,
  tenant_id: id,
  name: text,
  'display_name?': text,
  namespace: text,
  state: {
    schema: oneOf('Pending', 'Starting', 'Running', 'Stopping', 'Stopped', 'Error'),
    from: 'wireState',
  },
  'error_message?': { schema: text, from: 'explanation', selection: 'summary' },
  cpu: whole,
  memory_mi: whole,
  dedicated_cpu: { schema: flag, before: 'tags' },
  'image?': text,
  'template?': { schema: text, from: 'templateName' },
  'template_ref?': { schema: id, from: 'templateId', before: 'dedicated_cpu' },
  'ip?': text,
  'zone?': { schema: text, from: 'tenantSlug' },
  'service_offering_id?': id,
  power_state: {
    schema: oneOf('Running', 'Halted'),
    from: 'wantedPower',
    before: 'template_ref',
  },
  tags: { schema: list(text), before: null },
  version: hidden,
  created_at: time,
  updated_at: time,
  'nics?': { ...listOf(nic), before: 'created_at' },
  'vpc_id?': { schema: id, from: null, before: 'name' },
  'hypervisor?': { schema: text, from: null, before: 'zone' },
})

const size = {
  'display_name?': text,
  'service_offering_id?': text,
  'cpu?': whole,
  'memory_mi?': whole,
  'tags?': list(text),
}

export const vmChange = new RequestBody(size)

/** Clients that leave the choice to Berth send an empty list. */
const chosenIds = (ids: string[] | undefined): string[] | undefined =>
  ids?.length === 0 ? undefined : ids

/**
 * The id of the public network, which is the same everywhere. Clients that choose from all networks
 * send it.
 */
const publicNetworkId = '00000000-0000-4000-8000-000000000001'

const networksIn = (body: Body): string[] => field.texts(body, 'network_ids') ?? []

export const newVm = new RequestBody({
  'ssh_key_id?': {
    schema: text,
    before: 'security_group_ids',
    as: 'sshKeyIds',
    read: (body, name) => [field.text(body, name)].filter((each) => each !== undefined),
  },
  ...size,
  name: { schema: text, before: 'display_name' },
  'template_id?': { schema: text, before: 'display_name' },
  'image?': { schema: text, before: 'display_name' },
  'security_group_ids?': {
    schema: list(text),
    read: (body, name) => chosenIds(field.texts(body, name)),
  },
  'network_ids?': {
    schema: list(text),
    read: (body) => chosenIds(networksIn(body).filter((each) => each !== publicNetworkId)),
  },
  'public_ip?': {
    schema: flag,
    read: (body, name) => field.flag(body, name) ?? networksIn(body).includes(publicNetworkId),
  },
  'data_volume_id?': text,
  'dedicated_cpu?': flag,
  'cloud_init_user_data?': text,
  'cloud_init_password?': text,
  'expose_ssh?': flag,
  'async?': { schema: flag, as: null },
})
