import { type ObservedDataVolume } from './data-volume.ts'
import { isHeld } from './holder.ts'
import { type ObservedClaim, type ObservedHolder } from './observed.ts'

/* One state per volume: a total function of desired and observed state. */
export const volumeStates = [
  'creating',
  'ready', // it can be attached to a VM
  'attaching',
  'attached', // its VM has it, or gets it at the next start
  'detaching',
  'resizing',
  'lost', // it existed and was deleted outside Berth
  'failed', // it was not created in time or was refused; what exists of it stays
  'deleting',
] as const
export type VolumeState = (typeof volumeStates)[number]

/** The desired state of a volume, read from its row. */
export interface DesiredVolume {
  rowId: string
  deleteRequested: boolean
  /** True when its creation failed. It is ready when the cluster has created it after all. */
  hasFailed: boolean
  isGone: boolean
  /** The UID of the DataVolume; null until it is created. */
  clusterUid: string | null
  vmId: string | null
  sizeGi: number
  /** The last observed size; null until the volume exists. */
  grownGi: number | null
  /**
   * Bytes of the claim per requested GiB. More than a GiB when the volume contains a file system.
   */
  bytesPerGi: number | null
}

/** The observed objects of a volume. */
export interface ObservedVolume {
  dataVolume: ObservedDataVolume | null
  claim: ObservedClaim | null
  /** The VM that has the disk or is about to get it; null when there is none. */
  holder: ObservedHolder | null
}

/** Returns the state of a volume from its desired and observed state. */
export function stateOf(desired: DesiredVolume, observed: ObservedVolume): VolumeState {
  if (desired.deleteRequested) return 'deleting'
  if (desired.hasFailed) return 'failed'
  if (desired.grownGi === null) return 'creating'
  if (!isThere(desired, observed)) return 'lost'
  return (
    attachmentState(desired, observed.holder) ??
    (desired.grownGi < desired.sizeGi ? 'resizing' : desired.vmId === null ? 'ready' : 'attached')
  )
}

/** True when the objects of a created volume still exist. */
export const isThere = (
  { rowId, clusterUid }: DesiredVolume,
  { dataVolume, claim }: ObservedVolume,
): boolean =>
  dataVolume?.uid === clusterUid &&
  !dataVolume?.isDeleting &&
  claim?.rowId === rowId &&
  !claim.isDeleting &&
  claim.phase !== 'Lost'

/** Returns the state while the volume is being attached or detached; null otherwise. */
function attachmentState(
  { vmId }: DesiredVolume,
  holder: ObservedHolder | null,
): VolumeState | null {
  if (vmId === null) return isHeld(holder) ? 'detaching' : null
  return holder?.isInSpec && ['off', 'starting', 'there'].includes(holder.vmiState)
    ? null
    : 'attaching'
}
