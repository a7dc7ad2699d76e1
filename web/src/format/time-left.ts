/** The progress of an operation. */
interface Pace {
  state: string
  /** Per cent, as the server reports it. Finished steps are no measure of time. */
  progress: number | null
  startedAt: string | null
}

/** Returns the remaining ms at the pace so far; null when the pace is unknown. */
export function timeLeft({ state, progress, startedAt }: Pace, nowMs: number): number | null {
  if (state !== 'running' || !progress || startedAt === null) return null
  return (Math.max(0, nowMs - Date.parse(startedAt)) * (100 - progress)) / progress
}
