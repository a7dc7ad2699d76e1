import { type HostCapacity, type PromisedCapacity } from './cluster-capacity.ts'

export const capacityWarnings = ['no_open_host', 'cpu_short', 'memory_short'] as const
export type CapacityWarning = (typeof capacityWarnings)[number]

const warningShare = 0.85

/**
 * Estimated memory of a launcher pod, which the scheduler counts too. With many small VMs it is a
 * third of the memory in use.
 */
const launcherMi = 300

/** Returns warnings that the operator should act on; none while the capacity is unknown. */
export function capacityWarningsOf(
  hosts: HostCapacity | null,
  promised: PromisedCapacity,
): CapacityWarning[] {
  if (!hosts) return []
  if (hosts.open === 0) return ['no_open_host']
  const neededMi = promised.memoryMi + launcherMi * promised.vms
  return [
    // vCPUs are meant to be overcommitted. The warning is only for a cluster that soon accepts no
    // more of them.
    ...(promised.vcpus >= warningShare * hosts.cores * hosts.vcpusPerCore
      ? (['cpu_short'] as const)
      : []),
    ...(neededMi >= warningShare * hosts.memoryMi ? (['memory_short'] as const) : []),
  ]
}
