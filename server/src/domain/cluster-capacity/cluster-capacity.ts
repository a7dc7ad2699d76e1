/** The readiness and size of a node, as observed. */
export interface ObservedNodeSize {
  isReady: boolean
  /** True when the node is schedulable, so that new VMs may run on it once it is ready. */
  isOpen: boolean
  cores: number
  memoryMi: number
}

/** The capacity of all nodes. `cores` and `memoryMi` count open nodes only. */
export interface HostCapacity {
  total: number
  ready: number
  /** Nodes that are ready and accept new VMs. */
  open: number
  cores: number
  memoryMi: number
  /** vCPUs per physical core (`cpuAllocationRatio`) until the cluster accepts no more VMs. */
  vcpusPerCore: number
}

/** Reasons why the capacity of the nodes is unknown. */
export const capacityGaps = ['not_told', 'not_permitted'] as const
export type CapacityGap = (typeof capacityGaps)[number]

/** Either the capacity of the nodes, or the reason why it is unknown. */
export type ObservedCapacity =
  { hosts: HostCapacity; gap: null } | { hosts: null; gap: CapacityGap }

/** The capacity allocated to the VMs of all tenants that run or are about to run. */
export interface PromisedCapacity {
  vms: number
  vcpus: number
  memoryMi: number
}

export type ClusterCapacityView = ObservedCapacity & {
  /** When the nodes were last observed, if they cannot be read now. */
  asOf: string | null
  promised: PromisedCapacity
}

/** KubeVirt's default `cpuAllocationRatio`. */
export const defaultVcpusPerCore = 10

export function hostCapacityFrom(
  hosts: readonly ObservedNodeSize[],
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
