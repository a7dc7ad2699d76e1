interface Pace {
  state: string
  /** Per cent, as the server says; steps that are over tell nothing about time. */
  progress: number | null
  startedAt: string | null
}

/** How long it still takes in ms if it goes on as it has so far; null while that cannot be told. */
export function timeLeft({ state, progress, startedAt }: Pace, nowMs: number): number | null {
  if (state !== 'running' || !progress || startedAt === null) return null
  return (Math.max(0, nowMs - Date.parse(startedAt)) * (100 - progress)) / progress
}
