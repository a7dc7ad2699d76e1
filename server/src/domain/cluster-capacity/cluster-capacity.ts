/** One host of the cluster, as far as it counts for how much there is. */
export interface SeenHostSize {
  isReady: boolean
  /** New machines may come to it, once it is ready. */
  isOpen: boolean
  cores: number
  memoryMi: number
}

/** What the hosts have together. Cores and memory are those of open hosts alone. */
export interface HostCapacity {
  total: number
  ready: number
  /** Ready, and new machines may come to them. */
  open: number
  cores: number
  memoryMi: number
  /** To so many the cluster promises each core before it takes no more machines. */
  vcpusPerCore: number
}

/** Why nobody can tell what the hosts have. */
export const capacityGaps = ['not_told', 'not_permitted'] as const
export type CapacityGap = (typeof capacityGaps)[number]

/** Either what the hosts have, or why that cannot be told. */
export type FoundCapacity = { hosts: HostCapacity; gap: null } | { hosts: null; gap: CapacityGap }

/** What machines of all tenants that run, or are about to, ask for. */
export interface PromisedCapacity {
  vms: number
  vcpus: number
  memoryMi: number
}

export type ClusterCapacityView = FoundCapacity & {
  /** When the hosts were last seen, where they are not any more. */
  asOf: string | null
  promised: PromisedCapacity
}

/** What KubeVirt does where nobody has said otherwise. */
export const usualVcpusPerCore = 10

export function hostCapacityFrom(
  hosts: readonly SeenHostSize[],
  vcpusPerCore: number,
): HostCapacity {
  const open = hosts.filter(({ isReady, isOpen }) => isReady && isOpen)
  return {
    total: hosts.length,
    ready: hosts.filter(({ isReady }) => isReady).length,
    open: open.length,
    cores: open.reduce((sum, { cores }) => sum + cores, 0),
    memoryMi: open.reduce((sum, { memoryMi }) => sum + memoryMi, 0),
    vcpusPerCore,
  }
}
