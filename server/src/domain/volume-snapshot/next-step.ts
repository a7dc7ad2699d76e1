import { type DesiredSnapshot, isThere, type ObservedSnapshot } from './state.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

export type SnapshotStep =
  | { do: 'applySnapshot' }
  | { do: 'open' }
  | { do: 'observe' }
  | { do: 'removeSnapshot'; uid: string }
  | { do: 'wait' }
  | { do: 'erase' }
  | { do: 'nothing' }
  | { do: 'fail'; code: 'timeout' | 'cluster_name_conflict' | 'conflict'; detail: Message }

/** Decides the next step towards the desired state of a snapshot. */
export function nextStep(
  desired: DesiredSnapshot,
  observed: ObservedSnapshot | null,
): SnapshotStep {
  if (desired.deleteRequested || desired.hasFailed || desired.isGone)
    return towardsGone(desired, observed)
  if (desired.clusterUid === null) return towardsMade(desired, observed)
  if (desired.isTaken) return { do: 'observe' }
  // A snapshot is never retaken, because it would be of another time.
  if (!isThere(desired, observed)) return vanished
  return observed.isReady ? { do: 'open' } : { do: 'observe' }
}

function towardsGone(
  { rowId, deleteRequested, isGone }: DesiredSnapshot,
  observed: ObservedSnapshot | null,
): SnapshotStep {
  if (observed?.rowId === rowId)
    return observed.isDeleting ? { do: 'wait' } : { do: 'removeSnapshot', uid: observed.uid }
  return deleteRequested && !isGone ? { do: 'erase' } : { do: 'nothing' }
}

function towardsMade({ rowId }: DesiredSnapshot, observed: ObservedSnapshot | null): SnapshotStep {
  if (observed && observed.rowId !== rowId) return nameTaken
  return observed?.isDeleting ? { do: 'wait' } : { do: 'applySnapshot' }
}

const nameTaken: SnapshotStep = {
  do: 'fail',
  code: 'cluster_name_conflict',
  detail: messageOf('snapshot.name_in_use'),
}
const vanished: SnapshotStep = {
  do: 'fail',
  code: 'conflict',
  detail: messageOf('snapshot.removed_early'),
}
