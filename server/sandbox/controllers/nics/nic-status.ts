import { clock } from '../../clock.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { named } from '../hotplug/volumes.ts'
import { isMigrating } from '../../objects/migrations/state.ts'
import { read } from '../../objects/read.ts'
import { type ConditionUpdate, conditionOf } from '../../objects/vms/conditions.ts'
import { hasSource, withSources, withoutSource } from './nic-sources.ts'
import { isAbsent, podNicName } from './nic-naming.ts'
import { interfacesOf, networksOf, nicStatusesOf, secondaryNetworksOf } from './nics.ts'
import { podNicsOf } from './pod-networks.ts'

/**
 * The NIC statuses with those of the launcher pod. The pod may have a NIC that the guest lacks,
 * before a hotplug and after a detach.
 */
export function nicStatusOf(vmi: KubeObject, launcher: KubeObject): JsonMap[] {
  const inPod = podNicsOf(launcher)
  const known = nicStatusesOf(vmi)
  const secondary = secondaryNetworksOf(vmi)
  const reported = secondary.flatMap(({ name = '' }) => {
    const podInterfaceName = podNicName(vmi, read.text(name))
    const status = named(known, name)
    if (inPod.has(podInterfaceName))
      return [{ ...withSources(status ?? { name }, 'multus-status'), podInterfaceName }]
    return status ? [{ ...withoutSource(status, 'multus-status'), podInterfaceName }] : []
  })
  const first = known.filter(({ name }) => named(networksOf(vmi), name) && !named(secondary, name))
  const unlisted = known.filter(({ name }) => !named(networksOf(vmi), name))
  return [...first, ...reported, ...unlisted]
}

const reasons = { True: 'AutoMigrationDueToLiveUpdate', False: 'AutoMigrationPending' } as const

/**
 * The MigrationRequired condition: true when the launcher pod lacks NICs, or has absent ones. A
 * dynamic networks controller gets a grace period to attach them without a migration.
 */
export function migrationRequired(client: Client, vmi: KubeObject): ConditionUpdate | null {
  const before = conditionOf(vmi, 'MigrationRequired')
  const wasRequired = before?.status === 'True'
  if (isMigrating(vmi)) return before ? migrationCondition(wasRequired) : null
  if (!interfacesOf(vmi).some((nic) => differsInPod(vmi, nic))) return null
  return migrationCondition(wasRequired || (before !== undefined && graceLeftMs(client, vmi) === 0))
}

const migrationCondition = (isNow: boolean): ConditionUpdate => {
  const status = isNow ? 'True' : 'False'
  return { status, reason: reasons[status] }
}

function differsInPod(vmi: KubeObject, nic: JsonMap): boolean {
  if (!named(secondaryNetworksOf(vmi), nic.name)) return false
  const status = named(nicStatusesOf(vmi), nic.name)
  if (!isAbsent(nic)) return status === undefined
  return status !== undefined && hasSource(status, 'multus-status') && !hasSource(status, 'domain')
}

/**
 * The milliseconds left of the grace period before a migration is required; 0 when none is pending.
 */
export function graceLeftMs(client: Client, vmi: KubeObject): number {
  const condition = conditionOf(vmi, 'MigrationRequired')
  if (condition?.status !== 'False') return 0
  const sinceMs = Date.parse(read.text(condition.lastTransitionTime))
  return Math.max(0, sinceMs + client.world.pace.msOf('dynamicNetworks') - clock.nowMs())
}
