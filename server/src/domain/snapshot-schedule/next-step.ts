import { type FaultCode } from '../../engine/model/fault.ts'

export interface AskedSchedule {
  isActive: boolean
  /** When it is to run next; null when never. */
  dueMs: number | null
  /** What became of the snapshot that it waits for; null when it waits for none. */
  run: 'under_way' | 'taken' | 'failed' | 'gone' | null
}

export type ScheduleStep =
  | { do: 'wait' } //                      for the snapshot
  | { do: 'settle'; as: 'taken' | 'failed' | 'gone' }
  | { do: 'take'; dueMs: number }
  | { do: 'sleep'; dueMs: number } //      until it is due
  | { do: 'rest' }

/**
 * The one next step of a schedule. What came due while nobody looked is one run, and no run begins
 * before the last one is settled.
 */
export function nextStep({ isActive, dueMs, run }: AskedSchedule, nowMs: number): ScheduleStep {
  if (run !== null) return run === 'under_way' ? { do: 'wait' } : { do: 'settle', as: run }
  if (!isActive || dueMs === null) return { do: 'rest' }
  return dueMs <= nowMs ? { do: 'take', dueMs } : { do: 'sleep', dueMs }
}

/** Refusals that pass by themselves soon, because something else is just being done. */
const passing: readonly FaultCode[] = ['wrong_state', 'in_use', 'conflict']
const patienceMs = 10 * 60_000

/** Whether a run that was refused is asked for again, instead of having failed. */
export const isWorthWaiting = (code: FaultCode, triedForMs: number): boolean =>
  passing.includes(code) && triedForMs < patienceMs

interface Made {
  id: string
  isTaken: boolean
  hasFailed: boolean
  isLost: boolean
}

/**
 * Which of its snapshots a schedule removes once a new one is there, of all that it has made from
 * the oldest on: good ones beyond what it keeps, and what is left of failed ones. One that is still
 * being taken, or that somebody took away in the cluster, counts as nothing.
 */
export function surplusOf(made: readonly Made[], keep: number): string[] {
  const good = made.filter(({ isTaken, isLost }) => isTaken && !isLost)
  const surplus = new Set(good.slice(0, Math.max(0, good.length - keep)).map(({ id }) => id))
  return made.flatMap(({ id, hasFailed, isTaken }) =>
    surplus.has(id) || (hasFailed && !isTaken) ? [id] : [],
  )
}
