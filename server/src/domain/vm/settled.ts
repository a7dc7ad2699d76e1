import { type VmState } from './state.ts'

/** In every other state something changes with time alone: a start may take too long. */
const restingStates: readonly VmState[] = ['Running', 'Stopped', 'Paused', 'Lost']

export interface VmProgress {
  generation: number
  appliedGeneration: number
  deleteRequestedAt?: unknown
  failedAt?: unknown
  restoreId?: string | null
  restoredId?: string | null
  isoInserted: boolean
  isoUid?: string | null
}

/** The cluster has all that was requested of the VM, and the VM rests there. */
export const isSettled = (vm: VmProgress, state: VmState): boolean =>
  restingStates.includes(state) &&
  vm.appliedGeneration === vm.generation &&
  !isLeaving(vm) &&
  (vm.restoreId ?? null) === (vm.restoredId ?? null) &&
  (vm.isoInserted || !vm.isoUid)

const isLeaving = ({ deleteRequestedAt, failedAt }: VmProgress): boolean =>
  Boolean(deleteRequestedAt ?? failedAt)
