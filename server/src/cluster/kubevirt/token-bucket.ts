import { type Clock } from '../../runtime/clock.ts'

export interface TokenBucket {
  /** Resolves when the call may leave; at once when the signal is aborted. */
  take(signal?: AbortSignal): Promise<void>
  /** Nobody's call leaves before this long: the cluster asked for rest. */
  pause(delayMs: number): void
}

/** One bucket for the whole cluster and not one per job: what the API server sees is the sum. */
export function createTokenBucket({ perSecond, burst, clock }: { perSecond: number; burst: number; clock: Clock }): TokenBucket {
  const stepMs = 1000 / perSecond
  /** When the bucket was last empty, so to speak: a call moves it on by one step, and it never lies further back than a burst. */
  let nextMs = clock.elapsedMs() - burst * stepMs
  let pausedUntilMs = 0
  return {
    async take(signal) {
      const nowMs = clock.elapsedMs()
      nextMs = Math.max(nextMs, nowMs - burst * stepMs) + stepMs
      const atMs = Math.max(nextMs, pausedUntilMs)
      if (atMs > nowMs) await clock.sleep(atMs - nowMs, signal)
    },
    pause(delayMs) {
      pausedUntilMs = Math.max(pausedUntilMs, clock.elapsedMs() + delayMs)
    },
  }
}
