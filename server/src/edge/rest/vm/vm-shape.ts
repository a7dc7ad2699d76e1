import { ResponseShape, added, hidden, listOf } from '../../../engine/rest/response-shape.ts'
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
import { type Schema, list, oneOf } from '../../../engine/rest/json-schema.ts'
import { messageOf } from '../../../engine/model/message.ts'
import { vmExplanation } from '../explanation.ts'
import { namespaceField } from '../namespace-field.ts'
import { limitedCpu, limitedMemoryMi, limitedTags, maxSecurityGroups } from '../vm-limits.ts'

const { flag, id, text, time, whole } = scalar

interface Nic {
  name: string
  type: 'pod' | 'private' | 'public'
  ip: string | null
  mac: string
  network_id: string | null
  nad_namespace: string | null
  nad_name: string | null
  configured_in_guest: string | null
  observedIp: string | null
  vpcId: string | null
}

const nic = new ResponseShape('Nic', {
  name: text,
  'ip?': { schema: text, from: 'address' },
  'mac?': text,
  'type?': {
    schema: {
      ...oneOf('pod', 'multus'),
      description: 'The cluster network, or a network of its own.',
    },
    from: 'kind',
  },
  'network_id?': id,
  'nad_namespace?': { schema: text, from: 'attachmentNamespace' },
  'nad_name?': { schema: text, from: 'attachmentName' },
  'configured_in_guest?': {
    ...oneOf('yes', 'no', 'unknown'),
    description:
      'Tells if the guest has the assigned address. Absent without one, and while the guest does not have the NIC.',
  },
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
  configured_in_guest: row.configured_in_guest ?? undefined,
})

export const vmStates = oneOf('Starting', 'Running', 'Stopping', 'Stopped', 'Error')

const rootDisks = oneOf('persistent', 'ephemeral')

/** A VM as the document returns it. */
export interface VmRow extends Versioned {
  name: string
  state: string
  explanation: { summary: string } | null
  ip: string | null
  nics: Nic[]
  template_ref: string | null
  host_name: string | null
  service_offering_id: string | null
  power_state: 'on' | 'off'
  storage_class: string | null
  disk_progress: number | null
  busy_with: string | null
}

/** A VM as REST returns it. */
interface WireVm {
  error_message?: string | undefined
  explanation: VmRow['explanation'] | undefined
  ip: string | null | undefined
  nics: object[]
  vpc_id?: string | undefined
  host_name: string | null | undefined
  template_ref: string | null | undefined
  service_offering_id: string | null | undefined
  power_state: string
  storage_class: string | null | undefined
  disk_progress: number | null | undefined
  busy_with: string | null | undefined
  version: number | undefined
  hypervisor?: string
}

/** An optional field that is null is left out. */
const orAbsent = <Value>(value: Value | null): Value | undefined => value ?? undefined

class VmShape extends ResponseShape<VmRow> {
  /** Assigns field by field: a loop over the table costs a long list as much as serializing it. */
  override toWire(row: VmRow): object {
    const wired: WireVm = row
    wired.error_message = row.state === 'Error' ? row.explanation?.summary : undefined
    wired.explanation = orAbsent(row.explanation)
    wired.ip = orAbsent(row.ip)
    // Older clients know only one VPC of a VM: the one of its first private network.
    wired.vpc_id = row.nics.find(({ vpcId }) => vpcId !== null)?.vpcId ?? undefined
    wired.nics = row.nics.map(wireNic)
    wired.host_name = orAbsent(row.host_name)
    wired.template_ref = orAbsent(row.template_ref)
    wired.service_offering_id = orAbsent(row.service_offering_id)
    wired.power_state = row.power_state === 'on' ? 'Running' : 'Halted'
    wired.storage_class = orAbsent(row.storage_class)
    wired.disk_progress = orAbsent(row.disk_progress)
    wired.busy_with = orAbsent(row.busy_with)
    wired.version = undefined
    wired.hypervisor = 'KubeVirt'
    return wired
  }
}

export const vm = new VmShape('Vm', {
  id,
  tenant_id: id,
  name: text,
  'display_name?': text,
  namespace: text,
  state: {
    schema: vmStates,
    from: 'wireState',
  },
  'error_message?': {
    ...added({
      ...text,
      description: 'The summary of the explanation, when the state is `Error`.',
    }),
    before: 'cpu',
  },
  'explanation?': { schema: vmExplanation.schema, selection: vmExplanation.selection },
  cpu: whole,
  memory_mi: whole,
  dedicated_cpu: { schema: flag, before: 'tags' },
  'image?': text,
  'template?': { schema: text, from: 'templateName' },
  'template_ref?': { schema: id, from: 'templateId', before: 'dedicated_cpu' },
  root_disk: rootDisks,
  boot_disk_size_gi: whole,
  'storage_class?': text,
  'disk_progress?': whole,
  iso_inserted: flag,
  secure_boot: flag,
  delete_protection: flag,
  restart_required: flag,
  'busy_with?': oneOf('restore', 'snapshot'),
  'ip?': text,
  'zone?': { schema: text, from: 'tenantSlug' },
  'host_name?': {
    schema: { ...text, description: 'Only for callers who may read all tenants.' },
    from: 'host',
  },
  'service_offering_id?': id,
  power_state: {
    schema: { ...oneOf('Running', 'Halted'), description: 'The requested power state.' },
    from: 'wantedPower',
    before: 'template_ref',
  },
  tags: { schema: list(text), before: null },
  version: hidden,
  created_at: time,
  updated_at: time,
  'nics?': { ...listOf(nic), before: 'created_at' },
  'vpc_id?': {
    schema: { ...id, description: 'The VPC of the first private network.' },
    from: null,
    before: 'name',
  },
  'hypervisor?': {
    schema: { ...text, description: 'Always `KubeVirt`.' },
    from: null,
    before: 'zone',
  },
})

/** Older clients send zero beside a service offering, which determines the size. */
const sizeField = (limited: Schema, meaning: string): RequestField => ({
  schema: {
    ...limited,
    description: `${meaning} It has no effect beside \`service_offering_id\`.`,
  },
  absent: [0],
  refuse: (size, { service_offering_id: offering }) =>
    size === 0 && !offering ? messageOf('field.at_least', { least: 1 }) : null,
})

const dedicatedCpu = {
  schema: {
    ...flag,
    description: 'A service offering with dedicated CPUs gives them even when this is false.',
  },
}

const size = {
  'cpu?': sizeField(limitedCpu, 'The number of vCPUs.'),
  'memory_mi?': sizeField(limitedMemoryMi, 'The memory in MiB.'),
}

const offering = { ...text, description: 'The id or the name of a service offering.' }

export const vmChange = new RequestBody({
  'display_name?': { ...freeText, absent: [''] },
  'service_offering_id?': orEmpty(offering),
  ...size,
  'dedicated_cpu?': dedicatedCpu,
  'tags?': { schema: limitedTags, cleared: [] },
  'delete_protection?': flag,
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

/** Both fields give the same list, so that a key in either is not lost. */
function keysIn(_: unknown, { ssh_key_id: one, ssh_key_ids: several }: SentBody): unknown[] {
  const listed: unknown[] = Array.isArray(several) ? several : []
  return [...(one ? [one] : []), ...listed]
}

export const newVm = new RequestBody({
  'ssh_key_id?': {
    ...orBlank(text),
    before: 'security_group_ids',
    as: 'sshKeyIds',
    convert: keysIn,
  },
  'ssh_key_ids?': {
    schema: {
      ...list(text),
      minItems: 1,
      description: 'Several SSH keys; `ssh_key_id` adds one more.',
    },
    before: 'security_group_ids',
    as: 'sshKeyIds',
    convert: keysIn,
  },
  'display_name?': orBlank(text),
  'service_offering_id?': orBlank(offering),
  ...size,
  'tags?': { schema: limitedTags, absent: [null] },
  name: { ...nameField('display_name'), before: 'display_name' },
  'template_id?': { ...orBlank(text), before: 'display_name' },
  'image?': { ...orBlank(text), before: 'display_name' },
  'security_group_ids?': {
    ...chosenIds,
    schema: { ...list(text), maxItems: maxSecurityGroups },
  },
  // The list may contain the public network, too, so its schema cannot tell the limit.
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
  'root_disk?': rootDisks,
  'boot_disk_size_gi?': whole,
  'secure_boot?': flag,
  'delete_protection?': flag,
  'pod_network?': flag,
  'start?': flag,
  'async?': {
    schema: { ...flag, description: '`true` answers 202 with the operation.' },
    as: null,
  },
  ...namespaceField,
})
