import { type SeenDataVolume } from './data-volume.ts'
import { isHeld } from './holder.ts'
import { type SeenClaim, type SeenHolder } from './seen.ts'

/*
 * One state per volume, as a user would call it: a total function of what was asked and what was
 * seen.
 */
export const volumeStates = [
  'creating',
  'ready', //     it can be attached
  'attaching',
  'attached', //  its machine has it, or gets it with its start
  'detaching',
  'resizing',
  'lost', //      it was there once, and somebody removed it behind our back
  'failed', //    it could not be made, and nothing is left of it
  'deleting',
] as const
export type VolumeState = (typeof volumeStates)[number]

/** What the row says. */
export interface AskedVolume {
  rowId: string
  deleteRequested: boolean
  /** It was given up. */
  hasFailed: boolean
  isGone: boolean
  /** The identity of what fills it, since that was made; null before. */
  clusterUid: string | null
  vmId: string | null
  sizeGi: number
  /** The size that it was seen with last; null until it was there once. */
  grownGi: number | null
  /** Bytes for each GiB of ours: more than there are in one where a file system is between. */
  bytesPerGi: number | null
}

/** What the cluster shows of it. */
export interface SeenVolume {
  filling: SeenDataVolume | null
  claim: SeenClaim | null
  /** The machine that has it, or is to have it; null where that is not there. */
  holder: SeenHolder | null
}

/** The state of a volume of which this was asked and this was seen. */
export function stateOf(asked: AskedVolume, seen: SeenVolume): VolumeState {
  if (asked.deleteRequested) return 'deleting'
  if (asked.hasFailed) return 'failed'
  if (asked.grownGi === null) return 'creating'
  if (!isThere(asked, seen)) return 'lost'
  return (
    ofPlace(asked, seen.holder) ??
    (asked.grownGi < asked.sizeGi ? 'resizing' : asked.vmId === null ? 'ready' : 'attached')
  )
}

/** Of a volume that was made once. */
export const isThere = (
  { rowId, clusterUid }: AskedVolume,
  { filling, claim }: SeenVolume,
): boolean =>
  filling?.uid === clusterUid &&
  !filling?.isDeleting &&
  claim?.rowId === rowId &&
  !claim.isDeleting &&
  claim.phase !== 'Lost'

/** Only while it is on its way from or to a machine. */
function ofPlace({ vmId }: AskedVolume, holder: SeenHolder | null): VolumeState | null {
  if (vmId === null) return isHeld(holder) ? 'detaching' : null
  return holder?.isDescribed && ['off', 'starting', 'there'].includes(holder.run)
    ? null
    : 'attaching'
}
