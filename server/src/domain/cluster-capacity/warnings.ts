import { type HostCapacity, type PromisedCapacity } from './cluster-capacity.ts'

export const capacityWarnings = ['no_open_host', 'cpu_short', 'memory_short'] as const
export type CapacityWarning = (typeof capacityWarnings)[number]

const shortAt = 0.85

/**
 * A rule of thumb of what runs around each guest, which a scheduler counts as well: of many small
 * machines it is a third.
 */
const aroundGuestMi = 300

/** What whoever runs the platform should do something about; nothing of what is not known. */
export function capacityWarningsOf(
  hosts: HostCapacity | null,
  promised: PromisedCapacity,
): CapacityWarning[] {
  if (!hosts) return []
  if (hosts.open === 0) return ['no_open_host']
  const neededMi = promised.memoryMi + aroundGuestMi * promised.vms
  return [
    // More vCPUs than cores is how clusters are meant to be filled; only where no more of them are
    // taken is it too much.
    ...(promised.vcpus >= shortAt * hosts.cores * hosts.vcpusPerCore
      ? (['cpu_short'] as const)
      : []),
    ...(neededMi >= shortAt * hosts.memoryMi ? (['memory_short'] as const) : []),
  ]
}
