import { type ObservedDataVolume } from '../volume/data-volume.ts'
import { type ImportReason, failureIn } from './import-failure.ts'
import { type ImportState } from './vm-template.ts'

/** The desired state of an imported template, and its recorded progress, read from its row. */
export interface DesiredTemplate {
  rowId: string
  deleteRequested: boolean
  isGone: boolean
  /** The number of imports that were requested. */
  generation: number
  /** The import to which the following three fields belong. */
  observedGeneration: number
  importState: ImportState | null
  /** True when the import ended by its deadline. Its volume may still be completed. */
  hasTimedOut: boolean
  isTransferred: boolean
  /** The UID of the volume that this import created; null before. */
  clusterUid: string | null
}

export type TemplateStep =
  | { do: 'nothing' }
  | { do: 'wait' }
  /** The volume of the previous import is gone, so the new import may start. */
  | { do: 'begin' }
  | { do: 'applyVolume' }
  | { do: 'recordProgress'; percent: number | null }
  | { do: 'recordTransferred' }
  | { do: 'open' }
  | { do: 'fail'; reason: ImportReason }
  | { do: 'removeVolume'; uid: string }
  | { do: 'erase' }

/**
 * Decides the next step towards the desired state of a template. `waitedMs` is the time since the
 * last progress of its import.
 */
export function nextStep(
  desired: DesiredTemplate,
  observed: ObservedDataVolume | null,
  waitedMs: number,
): TemplateStep {
  const ownVolume = observed?.rowId === desired.rowId ? observed : null
  if (isOver(desired)) return ownVolume ? removal(ownVolume) : stepWithoutVolume(desired)
  if (desired.importState === 'failed') return towardsLateEnd(desired, ownVolume)
  if (desired.importState === 'importing') return towardsReady(desired, observed, waitedMs)
  return isCurrent(ownVolume, desired) ? { do: 'nothing' } : { do: 'fail', reason: 'lost' }
}

/**
 * True when the volume of this import must be removed: the import failed for good or is outdated,
 * or the template is deleted.
 */
const isOver = ({
  isGone,
  deleteRequested,
  observedGeneration,
  generation,
  importState,
  hasTimedOut,
  clusterUid,
}: DesiredTemplate): boolean =>
  isGone ||
  deleteRequested ||
  observedGeneration < generation ||
  (importState === 'failed' && !(hasTimedOut && clusterUid !== null))

const removal = ({ isDeleting, uid }: ObservedDataVolume): TemplateStep =>
  isDeleting ? { do: 'wait' } : { do: 'removeVolume', uid }

function stepWithoutVolume({
  isGone,
  deleteRequested,
  observedGeneration,
  generation,
}: DesiredTemplate): TemplateStep {
  if (isGone) return { do: 'nothing' }
  if (deleteRequested) return { do: 'erase' }
  return observedGeneration < generation ? { do: 'begin' } : { do: 'nothing' }
}

const towardsLateEnd = (
  desired: DesiredTemplate,
  observed: ObservedDataVolume | null,
): TemplateStep =>
  isCurrent(observed, desired) && observed.phase === 'Succeeded' && observed.bound.isTrue
    ? { do: 'open' }
    : { do: 'nothing' }

const isCurrent = (
  observed: ObservedDataVolume | null,
  { clusterUid }: DesiredTemplate,
): observed is ObservedDataVolume =>
  observed !== null && observed.uid === clusterUid && !observed.isDeleting

function towardsReady(
  desired: DesiredTemplate,
  observed: ObservedDataVolume | null,
  waitedMs: number,
): TemplateStep {
  if (observed && observed.rowId !== desired.rowId) return { do: 'fail', reason: 'name_in_use' }
  // A crashed reconcile may have created the volume without recording it. Applying it again adopts
  // it.
  if (desired.clusterUid === null)
    return observed?.isDeleting ? { do: 'wait' } : { do: 'applyVolume' }
  // The volume is never recreated: it was deleted by hand, and the tenant must know.
  return isCurrent(observed, desired)
    ? stepWhileImporting(desired, observed, waitedMs)
    : { do: 'fail', reason: 'lost' }
}

function stepWhileImporting(
  { isTransferred }: DesiredTemplate,
  observed: ObservedDataVolume,
  waitedMs: number,
): TemplateStep {
  const reason = failureIn(observed, waitedMs)
  if (reason) return { do: 'fail', reason }
  if (observed.phase !== 'Succeeded') return { do: 'recordProgress', percent: observed.percent }
  if (!isTransferred) return { do: 'recordTransferred' }
  // CDI reports success a moment before the claim is bound.
  return observed.bound.isTrue ? { do: 'open' } : { do: 'wait' }
}
