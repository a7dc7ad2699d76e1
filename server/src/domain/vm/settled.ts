import { type VmState } from './state.ts'

/** All other states change with time alone, for example when a start takes too long. */
const stableStates: readonly VmState[] = ['Running', 'Stopped', 'Paused', 'Lost', 'Failed']

export interface VmProgress {
  generation: number
  appliedGeneration: number
  deleteRequestedAt?: unknown
  clusterUid?: string | null
  restoreId?: string | null
  restoredId?: string | null
  isoInserted: boolean
  isoUid?: string | null
}

/**
 * True when the cluster has applied all requested changes and the VM is in a stable state. The full
 * pass of the reconciler skips a settled VM that the cluster has not changed.
 */
export const isSettled = (vm: VmProgress, state: VmState): boolean =>
  stableStates.includes(state) &&
  (vm.appliedGeneration === vm.generation || isUncreated(vm, state)) &&
  !vm.deleteRequestedAt &&
  (vm.restoreId ?? null) === (vm.restoredId ?? null) &&
  (vm.isoInserted || !vm.isoUid)

/** Changes of a VM that could not be created are applied when its deploy is retried. */
const isUncreated = ({ clusterUid }: VmProgress, state: VmState): boolean =>
  state === 'Failed' && (clusterUid ?? null) === null
