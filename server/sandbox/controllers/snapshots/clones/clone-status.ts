import { type JsonMap } from '../../../objects/types.ts'
import { type ConditionUpdate, progressing, ready, withConditions } from '../conditions.ts'
import { filled } from '../../../objects/read.ts'

interface Problem {
  event: string
  reason: string
}

/** The results of one reconcile of a clone. */
export interface CloneProgress {
  /** The clone waits for a change of another object. */
  pending?: Problem
  failed?: Problem
  snapshotName?: string
  snapshotReady?: true
  restoreName?: string
  restoreReady?: true
  targetName?: string
  targetCreated?: true
  claimsBound?: true
}

/**
 * The status after the reconcile. One reconcile may pass several phases, of which clients see only
 * the last.
 */
export function cloneStatus(old: JsonMap, progress: CloneProgress): JsonMap {
  const phase = phaseAfter(old, progress)
  const { snapshotName, restoreName, ...rest } = old
  const names = progress.claimsBound
    ? {}
    : {
        snapshotName: progress.snapshotName ?? snapshotName,
        restoreName: progress.restoreName ?? restoreName,
      }
  return filled({
    ...rest,
    ...names,
    phase,
    targetName: progress.targetName ?? rest.targetName,
    conditions: withConditions(rest.conditions, ...conditionsFor(phase, progress)),
  })
}

function conditionsFor(
  phase: string | undefined,
  { pending, failed }: CloneProgress,
): ConditionUpdate[] {
  if (phase === 'Succeeded') return [progressing('False', 'Ready'), ready('True', 'Ready')]
  if (pending) return [progressing('False', 'Pending'), ready('False', pending.reason)]
  if (failed) return [progressing('False', 'Failed'), ready('False', failed.reason)]
  return [progressing('True', 'Still processing'), ready('False', 'Still processing')]
}

function phaseAfter({ phase }: JsonMap, progress: CloneProgress): string | undefined {
  if (progress.failed) return 'Failed'
  const now =
    typeof phase === 'string' ? phase : progress.pending ? undefined : 'SnapshotInProgress'
  const restoring =
    now === 'SnapshotInProgress' && progress.snapshotReady ? 'RestoreInProgress' : now
  const creating =
    restoring === 'RestoreInProgress' && progress.restoreReady ? 'CreatingTargetVM' : restoring
  return creating === 'CreatingTargetVM' && progress.targetCreated ? 'Succeeded' : creating
}
