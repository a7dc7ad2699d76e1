import { isDeepStrictEqual } from 'node:util'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { named } from '../hotplug/volumes.ts'
import { isAbsent } from '../nics/nic-naming.ts'
import { interfacesOf, networksOf, nicStatusesOf, secondaryNetworksOf } from '../nics/nics.ts'
import { isTrue } from '../../objects/vms/conditions.ts'
import { filled, read } from '../../objects/read.ts'
import { templateOf } from './template.ts'
import { type Verdict, nothing } from './verdict.ts'

/*
 * A NIC that is added to the VM's spec appears in the VMI at once. The guest gets it when the
 * launcher pod has it, which takes a migration.
 *
 * A NIC with state `absent` is detached from the guest, stays in both specs while its status
 * exists, and is then removed from both. This happens even while a restart is required for other
 * changes.
 */
export function nicsVerdict(vm: KubeObject, vmi: KubeObject): Verdict {
  const desired = desiredNics(vm)
  const added = desired.interfaces.filter(
    (nic) =>
      !named(interfacesOf(vmi), nic.name) &&
      !isAbsent(nic) &&
      (nic.bridge !== undefined || nic.sriov !== undefined),
  )
  const existing = interfacesOf(vmi).map((nic) =>
    withState(vmi, nic, named(desired.interfaces, nic.name)),
  )
  const interfaces = [...existing, ...added].filter(
    (nic) => !isAbsent(nic) || named(nicStatusesOf(vmi), nic.name),
  )
  const addedNetworks = desired.networks.filter(({ name }) => named(added, name))
  const networks = [...networksOf(vmi), ...addedNetworks].filter(({ name }) =>
    named(interfaces, name),
  )
  if (
    isDeepStrictEqual(interfaces, interfacesOf(vmi)) &&
    isDeepStrictEqual(networks, networksOf(vmi))
  )
    return nothing
  const domain = read.map(read.spec(vmi).domain)
  const devices = { ...read.map(domain.devices), interfaces }
  return { do: 'change', spec: { ...read.spec(vmi), domain: { ...domain, devices }, networks } }
}

/** KubeVirt does not detach a NIC while the pod may use ordinal interface names (`net1`). */
function withState(vmi: KubeObject, nic: JsonMap, desired: JsonMap | undefined): JsonMap {
  if (!desired || desired.state === nic.state || isAbsent(nic)) return nic
  if (isAbsent(desired) && hasOldNames(vmi)) return nic
  return filled({ ...nic, state: desired.state })
}

function hasOldNames(vmi: KubeObject): boolean {
  const secondary = secondaryNetworksOf(vmi)
  const names = secondary
    .map(({ name }) => read.text(named(nicStatusesOf(vmi), name)?.podInterfaceName))
    .filter(Boolean)
  return secondary.length > 0 && (names[0] === undefined || /^net\d+$/.test(names[0]))
}

/** The VM without the absent NICs that are fully detached; the same VM when there are none. */
export function withoutDetachedNics(vm: KubeObject, vmi: KubeObject | undefined): KubeObject {
  const isLeft = ({ name }: JsonMap): boolean =>
    vmi !== undefined && Boolean(named(interfacesOf(vmi), name) ?? named(nicStatusesOf(vmi), name))
  const desired = desiredNics(vm)
  const interfaces = desired.interfaces.filter((nic) => !isAbsent(nic) || isLeft(nic))
  if (interfaces.length === desired.interfaces.length) return vm
  const networks = desired.networks.filter(({ name }) => named(interfaces, name))
  const { spec } = templateOf(vm)
  const domain = read.map(spec.domain)
  const changed = {
    ...spec,
    domain: { ...domain, devices: { ...read.map(domain.devices), interfaces } },
    networks,
  }
  return {
    ...vm,
    spec: { ...read.spec(vm), template: { ...read.map(read.spec(vm).template), spec: changed } },
  }
}

/**
 * True when a NIC changed in a way that requires a restart. Existing NICs can only be detached
 * live.
 */
export function doNicsNeedRestart(vm: KubeObject, vmi: KubeObject): boolean {
  const desired = desiredNics(vm)
  const hasPodNetwork = networksOf(vmi).some(({ pod }) => pod !== undefined)
  if (!hasPodNetwork && desired.networks.some(({ pod }) => pod !== undefined)) return true
  const isSame = isTrue(vmi, 'LiveMigratable') ? isSameButAttachment : isDeepStrictEqual
  return (
    interfacesOf(vmi).some(
      (nic) => !isDeepStrictEqual(stateless(named(desired.interfaces, nic.name)), stateless(nic)),
    ) || networksOf(vmi).some((network) => !isSame(named(desired.networks, network.name), network))
  )
}

const stateless = (nic: JsonMap | undefined): JsonMap | undefined =>
  nic && filled({ ...nic, state: undefined })

const isSameButAttachment = (a: JsonMap | undefined, b: JsonMap): boolean =>
  isDeepStrictEqual(a && bare(a), bare(b))

const bare = (network: JsonMap): JsonMap =>
  network.multus === undefined
    ? network
    : { ...network, multus: { ...read.map(network.multus), networkName: '' } }

function desiredNics(vm: KubeObject): { interfaces: JsonMap[]; networks: JsonMap[] } {
  const template: KubeObject = { ...vm, spec: templateOf(vm).spec }
  return { interfaces: interfacesOf(template), networks: networksOf(template) }
}
