import { ResponseShape, hidden, listOf } from '../../../engine/rest/response-shape.ts'
import {
  RequestBody,
  type RequestField,
  type SentBody,
  freeText,
  nameField,
  orBlank,
  orEmpty,
} from '../../../engine/rest/request-body.ts'
import { type Versioned } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, oneOf } from '../../../engine/rest/json-schema.ts'
import { messageOf } from '../../../engine/model/message.ts'
import { namespaceField } from '../namespace-field.ts'

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
  host_name: string | null
  service_offering_id: string | null
  power_state: 'on' | 'off'
}

/** A VM as REST returns it. */
interface WireVm {
  error_message: VmRow['error_message'] | string | undefined
  ip: string | null | undefined
  nics: object[]
  vpc_id?: string | undefined
  host_name: string | null | undefined
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
    wired.host_name = row.host_name ?? undefined
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
    schema: oneOf('Starting', 'Running', 'Stopping', 'Stopped', 'Error'),
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
  'host_name?': {
    schema: { ...text, description: 'Only for callers who may read all tenants.' },
    from: 'host',
  },
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

/** Older clients send zero beside a service offering, which determines the size. */
const sizeField: RequestField = {
  schema: { ...whole, description: 'It has no effect beside `service_offering_id`.' },
  absent: [0],
  refuse: (size, { service_offering_id: offering }) =>
    size === 0 && !offering ? messageOf('field.at_least', { least: 1 }) : null,
}

const dedicatedCpu = {
  schema: {
    ...flag,
    description: 'A service offering with dedicated CPUs gives them even when this is false.',
  },
}

const size = { 'cpu?': sizeField, 'memory_mi?': sizeField }

const offering = { ...text, description: 'The id or the name of a service offering.' }

export const vmChange = new RequestBody({
  'display_name?': { ...freeText, absent: [''] },
  'service_offering_id?': orEmpty(offering),
  ...size,
  'dedicated_cpu?': dedicatedCpu,
  'tags?': { schema: list(text), cleared: [] },
  ...namespaceField,
})

/**
 * The id of the public network, which is the same everywhere. Clients that choose from all networks
 * send it.
 */
const publicNetworkId = '00000000-0000-4000-8000-000000000001'

const hasPublicNetwork = ({ network_ids: ids }: SentBody): boolean =>
  Array.isArray(ids) && ids.includes(publicNetworkId)

/** Older clients send an empty list or null when they leave the choice to Berth. */
const chosenIds: RequestField = { schema: list(text), absent: [[], null] }

export const newVm = new RequestBody({
  'ssh_key_id?': {
    ...orBlank(text),
    before: 'security_group_ids',
    as: 'sshKeyIds',
    convert: (key) => (key === undefined ? [] : [key]),
  },
  'display_name?': orBlank(text),
  'service_offering_id?': orBlank(offering),
  ...size,
  'tags?': { schema: list(text), absent: [null] },
  name: { ...nameField('display_name'), before: 'display_name' },
  'template_id?': { ...orBlank(text), before: 'display_name' },
  'image?': { ...orBlank(text), before: 'display_name' },
  'security_group_ids?': chosenIds,
  'network_ids?': {
    ...chosenIds,
    // The schema allows only lists of texts.
    convert: (ids) => (ids as string[] | undefined)?.filter((each) => each !== publicNetworkId),
  },
  'public_ip?': {
    schema: { ...flag, description: 'The public network in `network_ids` means the same.' },
    convert: (isPublic, body) => isPublic === true || hasPublicNetwork(body),
  },
  'data_volume_id?': orBlank(text),
  'dedicated_cpu?': dedicatedCpu,
  'cloud_init_user_data?': orBlank(text),
  'cloud_init_password?': orBlank(text),
  'expose_ssh?': flag,
  'async?': { schema: flag, as: null },
  ...namespaceField,
})
