import { type DesiredVolume, isThere, type ObservedVolume } from './state.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

export type VolumeStep =
  | { do: 'applyVolume' }
  /** The volume exists for the first time, so its size and VM are applied from now on. */
  | { do: 'open' }
  | { do: 'grow'; uid: string; bytes: number }
  | { do: 'recordGrown' }
  | { do: 'observe' }
  | { do: 'removeVolume'; uid: string }
  | { do: 'wait' }
  | { do: 'erase' }
  | { do: 'nothing' }
  | { do: 'fail'; code: 'cluster_name_conflict' | 'capacity'; detail: Message }

/** Decides the next step towards the desired state of a volume. */
export function nextStep(desired: DesiredVolume, observed: ObservedVolume): VolumeStep {
  if (desired.deleteRequested || desired.isGone) return towardsGone(desired, observed)
  if (desired.clusterUid === null) return towardsMade(desired, observed)
  if (desired.grownGi === null) return towardsOpen(desired, observed)
  return isThere(desired, observed) ? towardsSize(desired, observed) : { do: 'observe' }
}

function towardsGone(
  { rowId, deleteRequested, isGone }: DesiredVolume,
  { dataVolume, claim }: ObservedVolume,
): VolumeStep {
  if (dataVolume?.rowId === rowId)
    return dataVolume.isDeleting ? { do: 'wait' } : { do: 'removeVolume', uid: dataVolume.uid }
  // Kubernetes deletes the claim after its DataVolume, once no pod uses it.
  if (claim?.rowId === rowId) return { do: 'wait' }
  return deleteRequested && !isGone ? { do: 'erase' } : { do: 'nothing' }
}

function towardsMade(
  { rowId, hasFailed }: DesiredVolume,
  { dataVolume, claim }: ObservedVolume,
): VolumeStep {
  const existing = [dataVolume, claim].filter((each) => each !== null)
  // An object that a stopped worker created without recording it is adopted by another apply.
  if (hasFailed && dataVolume?.rowId !== rowId) return { do: 'observe' }
  if (existing.some((each) => each.rowId !== rowId)) return nameTaken
  return existing.some(({ isDeleting }) => isDeleting) ? { do: 'wait' } : { do: 'applyVolume' }
}

/** Phases in which the volume waits for its first consumer. */
const waitingPhases = ['PendingPopulation', 'WaitForFirstConsumer']

function towardsOpen(
  { hasFailed }: DesiredVolume,
  { dataVolume, claim }: ObservedVolume,
): VolumeStep {
  if (dataVolume?.phase === 'Failed' && !hasFailed) return provisioningFailed
  if (!claim || !dataVolume || claim.requestedBytes === null) return { do: 'observe' }
  // CDI reports success a moment before the claim is bound.
  const isFilled = dataVolume.phase === 'Succeeded' && claim.phase === 'Bound'
  return isFilled || waitingPhases.includes(dataVolume.phase) ? { do: 'open' } : { do: 'observe' }
}

function towardsSize(
  { sizeGi, grownGi, bytesPerGi }: DesiredVolume,
  { claim }: ObservedVolume,
): VolumeStep {
  if (!claim || grownGi === null || sizeGi <= grownGi) return { do: 'observe' }
  const bytes = Math.ceil((bytesPerGi ?? 2 ** 30) * sizeGi)
  if ((claim.requestedBytes ?? 0) < bytes) return { do: 'grow', uid: claim.uid, bytes }
  return (claim.capacityBytes ?? 0) < bytes ? { do: 'observe' } : { do: 'recordGrown' }
}

const nameTaken: VolumeStep = {
  do: 'fail',
  code: 'cluster_name_conflict',
  detail: messageOf('volume.name_in_use'),
}

const provisioningFailed: VolumeStep = {
  do: 'fail',
  code: 'capacity',
  detail: messageOf('volume.storage_refused'),
}
