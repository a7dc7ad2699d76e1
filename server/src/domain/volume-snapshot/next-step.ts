import { type AskedSnapshot, isThere, type SeenSnapshot } from './state.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

export type SnapshotStep =
  | { do: 'applySnapshot' }
  | { do: 'open' }
  | { do: 'observe' }
  | { do: 'removeSnapshot'; uid: string }
  | { do: 'wait' }
  | { do: 'erase' }
  | { do: 'nothing' }
  | { do: 'fail'; code: 'capacity' | 'cluster_name_conflict' | 'conflict'; detail: Message }

/** The one next step that brings a snapshot nearer to what was asked. */
export function nextStep(asked: AskedSnapshot, seen: SeenSnapshot | null): SnapshotStep {
  if (asked.deleteRequested || asked.hasFailed || asked.isGone) return towardsGone(asked, seen)
  if (asked.clusterUid === null) return towardsMade(asked, seen)
  if (asked.isTaken) return { do: 'observe' }
  // Never silently taken again: it would be of another moment.
  if (!isThere(asked, seen)) return vanished
  return seen.isReady ? { do: 'open' } : { do: 'observe' }
}

function towardsGone(
  { rowId, deleteRequested, isGone }: AskedSnapshot,
  seen: SeenSnapshot | null,
): SnapshotStep {
  if (seen?.rowId === rowId)
    return seen.isDeleting ? { do: 'wait' } : { do: 'removeSnapshot', uid: seen.uid }
  return deleteRequested && !isGone ? { do: 'erase' } : { do: 'nothing' }
}

function towardsMade({ rowId }: AskedSnapshot, seen: SeenSnapshot | null): SnapshotStep {
  if (seen && seen.rowId !== rowId) return nameTaken
  return seen?.isDeleting ? { do: 'wait' } : { do: 'applySnapshot' }
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
