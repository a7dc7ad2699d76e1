import { type AskedVolume, isThere, type SeenVolume } from './state.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

export type VolumeStep =
  | { do: 'applyVolume' }
  /** It is there for the first time: from now on its size and its place count. */
  | { do: 'open' }
  | { do: 'grow'; uid: string; bytes: number }
  | { do: 'noteGrown' }
  | { do: 'observe' }
  | { do: 'removeVolume'; uid: string }
  | { do: 'wait' }
  | { do: 'erase' }
  | { do: 'nothing' }
  | { do: 'fail'; code: 'cluster_name_conflict' | 'capacity'; detail: Message }

/** The one next step that brings a volume nearer to what was asked. */
export function nextStep(asked: AskedVolume, seen: SeenVolume): VolumeStep {
  if (asked.deleteRequested || asked.hasFailed || asked.isGone) return towardsGone(asked, seen)
  if (asked.clusterUid === null) return towardsMade(asked, seen)
  if (asked.grownGi === null) return towardsOpen(seen)
  return isThere(asked, seen) ? towardsSize(asked, seen) : { do: 'observe' }
}

function towardsGone(
  { rowId, deleteRequested, isGone }: AskedVolume,
  { filling, claim }: SeenVolume,
): VolumeStep {
  if (filling?.rowId === rowId)
    return filling.isDeleting ? { do: 'wait' } : { do: 'removeVolume', uid: filling.uid }
  // It goes after what filled it, and not before nobody uses it any more.
  if (claim?.rowId === rowId) return { do: 'wait' }
  return deleteRequested && !isGone ? { do: 'erase' } : { do: 'nothing' }
}

function towardsMade({ rowId }: AskedVolume, { filling, claim }: SeenVolume): VolumeStep {
  const present = [filling, claim].filter((each) => each !== null)
  if (present.some((each) => each.rowId !== rowId)) return nameTaken
  return present.some(({ isDeleting }) => isDeleting) ? { do: 'wait' } : { do: 'applyVolume' }
}

/** It waits for whoever uses it first. */
const waiting = ['PendingPopulation', 'WaitForFirstConsumer']

function towardsOpen({ filling, claim }: SeenVolume): VolumeStep {
  if (filling?.phase === 'Failed') return unmade
  if (!claim || !filling || claim.requestedBytes === null) return { do: 'observe' }
  // It says that it succeeded a moment before its claim is bound.
  const isFilled = filling.phase === 'Succeeded' && claim.phase === 'Bound'
  return isFilled || waiting.includes(filling.phase) ? { do: 'open' } : { do: 'observe' }
}

function towardsSize(
  { sizeGi, grownGi, bytesPerGi }: AskedVolume,
  { claim }: SeenVolume,
): VolumeStep {
  if (!claim || grownGi === null || sizeGi <= grownGi) return { do: 'observe' }
  const bytes = Math.ceil((bytesPerGi ?? 2 ** 30) * sizeGi)
  if ((claim.requestedBytes ?? 0) < bytes) return { do: 'grow', uid: claim.uid, bytes }
  return (claim.capacityBytes ?? 0) < bytes ? { do: 'observe' } : { do: 'noteGrown' }
}

const nameTaken: VolumeStep = {
  do: 'fail',
  code: 'cluster_name_conflict',
  detail: messageOf('volume.name_in_use'),
}

const unmade: VolumeStep = {
  do: 'fail',
  code: 'capacity',
  detail: messageOf('volume.storage_refused'),
}
