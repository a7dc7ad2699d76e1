import { type SeenDataVolume } from '../volume/data-volume.ts'
import { type ImportReason, failureIn } from './import-failure.ts'
import { type ImportState } from './vm-template.ts'

/** What was asked for a template that is imported, and what is known of it already, of its row. */
export interface AskedTemplate {
  rowId: string
  deleteRequested: boolean
  isGone: boolean
  /** Counts the imports that were asked for. */
  generation: number
  /** The import that the next three speak of. */
  seenGeneration: number
  importState: ImportState | null
  isTransferred: boolean
  /** The volume's identity since this import made it; null before. */
  clusterUid: string | null
}

export type TemplateStep =
  | { do: 'nothing' }
  | { do: 'wait' }
  /** The slate of the import before is clean: the one that was asked for since may begin. */
  | { do: 'begin' }
  | { do: 'applyVolume' }
  | { do: 'noteProgress'; percent: number | null }
  | { do: 'noteTransferred' }
  | { do: 'open' }
  | { do: 'fail'; reason: ImportReason; code?: 'cluster_name_conflict' }
  | { do: 'removeVolume'; uid: string }
  | { do: 'erase' }

/**
 * The one next step that brings a template nearer to what was asked. `waitedMs` since its import
 * was asked for.
 */
export function nextStep(
  asked: AskedTemplate,
  seen: SeenDataVolume | null,
  waitedMs: number,
): TemplateStep {
  const ours = seen?.rowId === asked.rowId ? seen : null
  if (isOver(asked)) return ours ? removed(ours) : onCleanSlate(asked)
  if (asked.importState === 'importing') return towardsReady(asked, seen, waitedMs)
  return isThere(ours, asked) ? { do: 'nothing' } : { do: 'fail', reason: 'lost' }
}

/**
 * What is in the cluster of this import is not wanted there, or no longer; also what somebody made
 * after it was given up on.
 */
const isOver = ({
  isGone,
  deleteRequested,
  seenGeneration,
  generation,
  importState,
}: AskedTemplate): boolean =>
  isGone || deleteRequested || seenGeneration < generation || importState === 'failed'

const removed = ({ isDeleting, uid }: SeenDataVolume): TemplateStep =>
  isDeleting ? { do: 'wait' } : { do: 'removeVolume', uid }

function onCleanSlate({
  isGone,
  deleteRequested,
  seenGeneration,
  generation,
}: AskedTemplate): TemplateStep {
  if (isGone) return { do: 'nothing' }
  if (deleteRequested) return { do: 'erase' }
  return seenGeneration < generation ? { do: 'begin' } : { do: 'nothing' }
}

const isThere = (
  seen: SeenDataVolume | null,
  { clusterUid }: AskedTemplate,
): seen is SeenDataVolume => seen !== null && seen.uid === clusterUid && !seen.isDeleting

function towardsReady(
  asked: AskedTemplate,
  seen: SeenDataVolume | null,
  waitedMs: number,
): TemplateStep {
  if (seen && seen.rowId !== asked.rowId)
    return { do: 'fail', reason: 'importer_missing', code: 'cluster_name_conflict' }
  // Not known is not the same as not there: an earlier run may have made it and died. Applying
  // finds it and takes it over.
  if (asked.clusterUid === null) return seen?.isDeleting ? { do: 'wait' } : { do: 'applyVolume' }
  // Never silently made again: somebody took it away, and the tenant should know.
  return isThere(seen, asked) ? filling(asked, seen, waitedMs) : { do: 'fail', reason: 'lost' }
}

function filling(
  { isTransferred }: AskedTemplate,
  seen: SeenDataVolume,
  waitedMs: number,
): TemplateStep {
  const reason = failureIn(seen, waitedMs)
  if (reason) return { do: 'fail', reason }
  if (seen.phase !== 'Succeeded') return { do: 'noteProgress', percent: seen.percent }
  if (!isTransferred) return { do: 'noteTransferred' }
  // It says that it succeeded a moment before its claim is bound.
  return seen.bound.isTrue ? { do: 'open' } : { do: 'wait' }
}
