import { type FaultCode } from '../../engine/model/fault.ts'

export interface DesiredSchedule {
  isActive: boolean
  /** When the schedule is due next; null when it is never due again. */
  dueMs: number | null
  /** The state of the snapshot of the current run; null when no run is in progress. */
  run: 'under_way' | 'taken' | 'failed' | 'gone' | null
}

export type ScheduleStep =
  | { do: 'wait' } // until the snapshot is done
  | { do: 'settle'; as: 'taken' | 'failed' | 'gone' }
  | { do: 'take'; dueMs: number }
  | { do: 'sleep'; dueMs: number } // until the next run is due
  | { do: 'rest' }

/**
 * Decides the next step of a schedule. Runs that were missed while no reconciler ran become one
 * run. A run starts only after the last one is settled.
 */
export function nextStep({ isActive, dueMs, run }: DesiredSchedule, nowMs: number): ScheduleStep {
  if (run !== null) return run === 'under_way' ? { do: 'wait' } : { do: 'settle', as: run }
  if (!isActive || dueMs === null) return { do: 'rest' }
  return dueMs <= nowMs ? { do: 'take', dueMs } : { do: 'sleep', dueMs }
}

/** Refusals that end by themselves, because another operation is in progress. */
const transientFaults: readonly FaultCode[] = ['wrong_state', 'in_use', 'conflict']
const retryForMs = 10 * 60_000

/** True when a refused run is retried. Otherwise it has failed. */
export const shouldRetry = (code: FaultCode, triedForMs: number): boolean =>
  transientFaults.includes(code) && triedForMs < retryForMs

interface ScheduledSnapshot {
  id: string
  isTaken: boolean
  hasFailed: boolean
  isLost: boolean
}

/**
 * Returns the snapshots of a schedule to remove after a new one is ready. `snapshots` lists all
 * that it has taken, oldest first. Removed are good ones beyond `keep`, and failed ones. Snapshots
 * in progress, and those that were deleted from the cluster, do not count.
 */
export function surplusSnapshots(snapshots: readonly ScheduledSnapshot[], keep: number): string[] {
  const good = snapshots.filter(({ isTaken, isLost }) => isTaken && !isLost)
  const surplus = new Set(good.slice(0, Math.max(0, good.length - keep)).map(({ id }) => id))
  return snapshots.flatMap(({ id, hasFailed, isTaken }) =>
    surplus.has(id) || (hasFailed && !isTaken) ? [id] : [],
  )
}
