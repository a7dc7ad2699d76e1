import { type Message, messageOf } from '../../engine/model/message.ts'

/** The desired restore of a VM, read from its row. */
export interface DesiredRestore {
  id: string
  /** True while the operation is open. Otherwise the objects of the restore are removed. */
  hasOpenOperation: boolean
  /** True once the VirtualMachineRestore has been created. */
  isStarted: boolean
  /** The safety snapshot of the present state, taken before the restore. */
  safety: 'none' | 'coming' | 'kept' | 'failed'
  isKnownOff: boolean
  isKnownSafe: boolean
}

/** The observed VirtualMachineRestore. */
export interface ObservedRestore {
  uid: string
  /** The row id in its label; null when Berth does not own the object. */
  rowId: string | null
  isDeleting: boolean
  isComplete: boolean
  hasFailed: boolean
}

export type RestoreStep =
  | { do: 'waitForOff' }
  | { do: 'recordOff' }
  | { do: 'recordSafe' }
  | { do: 'begin' }
  | { do: 'finish' }
  | { do: 'wait' }
  | { do: 'remove'; uid: string }
  | { do: 'end' }
  | { do: 'fail'; code: 'cluster_name_conflict' | 'conflict'; detail: Message }

/** Decides the next step of a restore. */
export function nextRestoreStep(
  desired: DesiredRestore,
  observed: { isOff: boolean; restore: ObservedRestore | null },
): RestoreStep {
  const { restore } = observed
  if (!desired.hasOpenOperation) return towardsEnd(desired, restore)
  if (!desired.isKnownOff) return observed.isOff ? { do: 'recordOff' } : { do: 'waitForOff' }
  if (!desired.isKnownSafe) return towardsSafe(desired)
  return observed.isOff || desired.isStarted ? towardsBack(desired, restore) : { do: 'waitForOff' }
}

/** Removes the restore at its end: KubeVirt starts no other restore while one is incomplete. */
function towardsEnd({ id }: DesiredRestore, restore: ObservedRestore | null): RestoreStep {
  if (restore?.rowId !== id) return { do: 'end' }
  return restore.isDeleting ? { do: 'wait' } : { do: 'remove', uid: restore.uid }
}

function towardsSafe({ safety }: DesiredRestore): RestoreStep {
  if (safety === 'failed') return unsafe
  return safety === 'coming' ? { do: 'wait' } : { do: 'recordSafe' }
}

function towardsBack(
  { id, isStarted }: DesiredRestore,
  restore: ObservedRestore | null,
): RestoreStep {
  if (!restore) return isStarted ? vanished : { do: 'begin' }
  if (restore.rowId === null) return nameTaken
  // The object of the previous restore remains as proof of its completion, until the next restore.
  if (restore.isDeleting) return { do: 'wait' }
  if (restore.rowId !== id) return { do: 'remove', uid: restore.uid }
  if (!isStarted) return { do: 'begin' }
  if (restore.hasFailed) return failed
  return restore.isComplete ? { do: 'finish' } : { do: 'wait' }
}

const unsafe: RestoreStep = {
  do: 'fail',
  code: 'conflict',
  detail: messageOf('vm_snapshot.restore_unsafe'),
}
const vanished: RestoreStep = {
  do: 'fail',
  code: 'conflict',
  detail: messageOf('vm_snapshot.restore_removed'),
}
const nameTaken: RestoreStep = {
  do: 'fail',
  code: 'cluster_name_conflict',
  detail: messageOf('vm_snapshot.restore_name_in_use'),
}
const failed: RestoreStep = {
  do: 'fail',
  code: 'conflict',
  detail: messageOf('vm_snapshot.restore_failed'),
}
