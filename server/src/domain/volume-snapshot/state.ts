/* One state per snapshot of a volume: a total function of what was asked and what was seen. */
export const volumeSnapshotStates = [
  'creating',
  'ready', //    volumes can be made from it
  'failed', //   it could not be taken, and nothing is left of it
  'lost', //     it was there once, and somebody removed it behind our back
  'deleting',
] as const
export type VolumeSnapshotState = (typeof volumeSnapshotStates)[number]

/** What the row says. */
export interface AskedSnapshot {
  rowId: string
  deleteRequested: boolean
  hasFailed: boolean
  isGone: boolean
  /** The identity in the cluster since it was made; null before. */
  clusterUid: string | null
  /** It was ready once. */
  isTaken: boolean
}

/** The snapshot can be used; or it could not be taken, and nothing of it is left. */
export const isSettled = (
  { deleteRequested }: Pick<AskedSnapshot, 'deleteRequested'>,
  state: VolumeSnapshotState,
): boolean => !deleteRequested && (state === 'ready' || state === 'failed')

/** What the cluster shows under its name. */
export interface SeenSnapshot {
  uid: string
  version: string
  /** Null on an object that is not ours. */
  rowId: string | null
  isDeleting: boolean
  isReady: boolean
  /**
   * Something went wrong and is tried again, as the cluster does for as long as anybody lets it.
   */
  hasTrouble: boolean
}

/**
 * The state of a snapshot of which this was asked and this was seen; null is that nothing is there.
 */
export function stateOf(asked: AskedSnapshot, seen: SeenSnapshot | null): VolumeSnapshotState {
  if (asked.deleteRequested) return 'deleting'
  if (asked.hasFailed) return 'failed'
  if (!asked.isTaken) return 'creating'
  return isThere(asked, seen) ? 'ready' : 'lost'
}

export const isThere = (
  { clusterUid }: AskedSnapshot,
  seen: SeenSnapshot | null,
): seen is SeenSnapshot => seen !== null && seen.uid === clusterUid && !seen.isDeleting
