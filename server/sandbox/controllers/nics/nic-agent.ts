import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { isDeleted } from '../finalizers.ts'
import { named } from '../hotplug/volumes.ts'
import { isMigrating } from '../../objects/migrations/state.ts'
import { filled, read } from '../../objects/read.ts'
import { isTrue } from '../../objects/vms/conditions.ts'
import { vmiKind } from '../../objects/vms/kinds.ts'
import { phaseOf } from '../../objects/vms/phase.ts'
import { domainStatus } from './domain-status.ts'
import { hasSource } from './nic-sources.ts'
import { isAbsent } from './nic-naming.ts'
import { interfacesOf, nicStatusesOf } from './nics.ts'

/**
 * virt-handler's part of NIC hotplug: attaches NICs that the launcher pod has, and detaches absent
 * ones.
 */
export const nicAgent: Controller = {
  name: 'virt-handler',
  fieldManager: 'virt-handler',
  sources: [{ kind: vmiKind, keysOf: (vmi) => (phaseOf(vmi) === 'Running' ? ownKey(vmi) : []) }],
  reconcile(client, { namespace, name }) {
    const vmi = client.get(vmiKind, namespace, name)
    if (!vmi || isDeleted(vmi) || phaseOf(vmi) !== 'Running' || isMigrating(vmi)) return undefined
    const before = nicStatusesOf(vmi)
    const statuses = before.flatMap((status) => stepOf(vmi, status))
    if (
      statuses.length === before.length &&
      statuses.every((status, index) => status === before[index])
    )
      return undefined
    const waitMs = client.remainingMs('nicHotplug', vmi)
    if (waitMs > 0) return waitMs
    client.setStatus(vmiKind, vmi, { ...read.status(vmi), interfaces: statuses })
    return undefined
  },
}

/**
 * The next status of one NIC, or the same one when there is nothing to do. A NIC that neither the
 * guest nor the pod has is not listed.
 */
function stepOf(vmi: KubeObject, status: JsonMap): JsonMap[] {
  const nic = named(interfacesOf(vmi), status.name)
  const isInGuest = hasSource(status, 'domain')
  const isInPod = hasSource(status, 'multus-status')
  if (!isInGuest && !isInPod) return []
  if (!nic) return isInGuest ? [status] : []
  if (!isAbsent(nic))
    return [
      isInGuest
        ? status
        : { ...status, ...domainStatus(vmi, nic), infoSource: 'domain, multus-status' },
    ]
  // A paused guest cannot release a NIC.
  if (!isInGuest || isTrue(vmi, 'Paused')) return [status]
  const { name, podInterfaceName } = status
  return isInPod ? [filled({ name, podInterfaceName, infoSource: 'multus-status' })] : []
}
