/* One state per volume snapshot: a total function of desired and observed state. */
export const volumeSnapshotStates = [
  'creating',
  'ready', // volumes can be created from it
  'failed', // it could not be taken, and nothing is left of it
  'lost', // it existed and was deleted outside Berth
  'deleting',
] as const
export type VolumeSnapshotState = (typeof volumeSnapshotStates)[number]

/** The desired state of a snapshot, read from its row. */
export interface DesiredSnapshot {
  rowId: string
  deleteRequested: boolean
  hasFailed: boolean
  isGone: boolean
  /** The UID of the VolumeSnapshot; null until it is created. */
  clusterUid: string | null
  /** True once the snapshot has been ready. */
  isTaken: boolean
}

/** True when the snapshot is usable, or could not be taken and nothing of it is left. */
export const isSettled = (
  { deleteRequested }: Pick<DesiredSnapshot, 'deleteRequested'>,
  state: VolumeSnapshotState,
): boolean => !deleteRequested && (state === 'ready' || state === 'failed')

/** The observed object with the snapshot's name. */
export interface ObservedSnapshot {
  uid: string
  version: string
  /** The row id in its label; null when Berth does not own the object. */
  rowId: string | null
  isDeleting: boolean
  isReady: boolean
  /** True after an error. The snapshot controller retries without limit. */
  hasError: boolean
}

/** Returns the state of a snapshot. `observed` is null when the object does not exist. */
export function stateOf(
  desired: DesiredSnapshot,
  observed: ObservedSnapshot | null,
): VolumeSnapshotState {
  if (desired.deleteRequested) return 'deleting'
  if (desired.hasFailed) return 'failed'
  if (!desired.isTaken) return 'creating'
  return isThere(desired, observed) ? 'ready' : 'lost'
}

export const isThere = (
  { clusterUid }: DesiredSnapshot,
  observed: ObservedSnapshot | null,
): observed is ObservedSnapshot =>
  observed !== null && observed.uid === clusterUid && !observed.isDeleting
