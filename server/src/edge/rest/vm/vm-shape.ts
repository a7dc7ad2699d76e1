import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object, oneOf } from '../../../engine/rest/shapes.ts'

const { flag, id, text, time, whole } = scalar

/** The fields of the document; `wireVm` makes what is left of the difference. */
export const vmFields = `id tenant_id: tenantId name display_name: displayName namespace state: wireState error_message: explanation { summary }
  cpu memory_mi: memoryMi dedicated_cpu: dedicatedCpu image template: templateName template_ref: templateId ip zone: tenantSlug
  service_offering_id: serviceOfferingId power_state: wantedPower tags version created_at: createdAt updated_at: updatedAt
  nics { name kind mac ip: address seen: seenAddress network_id: networkId nad_namespace: attachmentNamespace nad_name: attachmentName vpcId }`

interface Nic {
  name: string
  kind: 'pod' | 'private' | 'public'
  mac: string
  ip: string | null
  seen: string | null
  network_id: string | null
  nad_namespace: string | null
  nad_name: string | null
  vpcId: string | null
}

/** That on the network of the platform is called so by older clients. */
const wireNic = (nic: Nic): object => ({
  name: nic.kind === 'pod' ? 'default' : nic.name,
  type: nic.kind === 'pod' ? 'pod' : 'multus',
  ip: nic.ip ?? nic.seen ?? undefined,
  mac: nic.mac,
  network_id: nic.network_id ?? undefined,
  nad_namespace: nic.nad_namespace ?? undefined,
  nad_name: nic.nad_name ?? undefined,
})

/** A VM as the document brings it. */
export interface VmRow {
  name: string
  state: string
  error_message: { summary: string } | null
  ip: string | null
  nics: Nic[]
  template_ref: string | null
  service_offering_id: string | null
  power_state: 'on' | 'off'
  version: number
}

/** As this wire has it. */
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

/**
 * What is absent is undefined rather than deleted, which would make the object slow. The rows are
 * the executor's own and go nowhere else, so each is written over field by field: a copy, or
 * Object.assign, costs a list as much as writing its text.
 */
export function wireVm(row: VmRow): object {
  const vm: WireVm = row
  vm.error_message = row.state === 'Error' ? row.error_message?.summary : undefined
  vm.ip = row.ip ?? undefined
  // Older clients know one VPC of a VM: that of its first private network.
  vm.vpc_id = row.nics.find(({ vpcId }) => vpcId !== null)?.vpcId ?? undefined
  vm.nics = row.nics.map(wireNic)
  vm.template_ref = row.template_ref ?? undefined
  vm.service_offering_id = row.service_offering_id ?? undefined
  vm.power_state = row.power_state === 'on' ? 'Running' : 'Halted'
  vm.version = undefined
  vm.hypervisor = 'KubeVirt'
  return vm
}

const nic = object({
  name: text,
  'ip?': text,
  'mac?': text,
  'type?': oneOf('pod', 'multus'),
  'network_id?': id,
  'nad_namespace?': text,
  'nad_name?': text,
})

export const vmSchema = object({
  id,
  tenant_id: id,
  'vpc_id?': id,
  name: text,
  'display_name?': text,
  namespace: text,
  state: oneOf('Pending', 'Starting', 'Running', 'Stopping', 'Stopped', 'Error'),
  'error_message?': text,
  cpu: whole,
  memory_mi: whole,
  'image?': text,
  'template?': text,
  'ip?': text,
  'hypervisor?': text,
  'zone?': text,
  'service_offering_id?': id,
  'nics?': list(nic),
  created_at: time,
  updated_at: time,
  power_state: oneOf('Running', 'Halted'),
  'template_ref?': id,
  dedicated_cpu: flag,
  tags: list(text),
})
