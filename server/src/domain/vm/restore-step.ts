import { type Message, messageOf } from '../../engine/model/message.ts'

/** What the row asks for: a machine that is to become what it was. */
export interface AskedRestore {
  id: string
  /** Somebody still waits for it; else what there is of it is taken away. */
  isPromised: boolean
  /** The cluster was told of it once. */
  isBegun: boolean
  /** What becomes of the snapshot in which the present is kept. */
  safety: 'none' | 'coming' | 'kept' | 'failed'
  isKnownOff: boolean
  isKnownSafe: boolean
}

/** What the cluster shows of a restore. */
export interface SeenRestore {
  uid: string
  /** Null on an object that is not ours. */
  rowId: string | null
  isDeleting: boolean
  isComplete: boolean
  hasFailed: boolean
}

export type RestoreStep =
  | { do: 'waitForOff' }
  | { do: 'noteOff' }
  | { do: 'noteSafe' }
  | { do: 'begin' }
  | { do: 'finish' }
  | { do: 'wait' }
  | { do: 'remove'; uid: string }
  | { do: 'end' }
  | { do: 'fail'; code: 'cluster_name_conflict' | 'conflict' | 'capacity'; detail: Message }

/** The one next step that brings a machine nearer to what it was. */
export function nextRestoreStep(
  asked: AskedRestore,
  seen: { isOff: boolean; restore: SeenRestore | null },
): RestoreStep {
  const { restore } = seen
  if (!asked.isPromised) return towardsEnd(asked, restore)
  if (!asked.isKnownOff) return seen.isOff ? { do: 'noteOff' } : { do: 'waitForOff' }
  if (!asked.isKnownSafe) return towardsSafe(asked)
  return seen.isOff || asked.isBegun ? towardsBack(asked, restore) : { do: 'waitForOff' }
}

/** One that has not come to its end keeps the cluster from beginning another. */
function towardsEnd({ id }: AskedRestore, restore: SeenRestore | null): RestoreStep {
  if (restore?.rowId !== id) return { do: 'end' }
  return restore.isDeleting ? { do: 'wait' } : { do: 'remove', uid: restore.uid }
}

function towardsSafe({ safety }: AskedRestore): RestoreStep {
  if (safety === 'failed') return unsafe
  return safety === 'coming' ? { do: 'wait' } : { do: 'noteSafe' }
}

function towardsBack({ id, isBegun }: AskedRestore, restore: SeenRestore | null): RestoreStep {
  if (!restore) return isBegun ? vanished : { do: 'begin' }
  if (restore.rowId === null) return nameTaken
  // The one before stays as a mark that it was carried out, until there is another.
  if (restore.isDeleting) return { do: 'wait' }
  if (restore.rowId !== id) return { do: 'remove', uid: restore.uid }
  if (!isBegun) return { do: 'begin' }
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
