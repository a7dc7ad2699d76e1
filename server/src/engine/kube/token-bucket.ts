import { type Clock } from '../../runtime/clock.ts'

export interface TokenBucket {
  /** Resolves when the call may be sent, and at once when the signal is aborted. */
  take(signal?: AbortSignal): Promise<void>
  /** Delays all calls for this long, because the cluster requested it. */
  pause(delayMs: number): void
}

/**
 * Creates the token bucket of the whole cluster. One bucket per task would not limit the sum that
 * the API server receives.
 */
export function createTokenBucket({
  perSecond,
  burst,
  clock,
}: {
  perSecond: number
  burst: number
  clock: Clock
}): TokenBucket {
  const stepMs = 1000 / perSecond
  /**
   * The time at which the next call would find an empty bucket. Each call advances it by one step,
   * and it is never further back than a burst.
   */
  let nextMs = clock.elapsedMs() - burst * stepMs
  let pausedUntilMs = -Infinity
  const nextTurn = (): number =>
    (nextMs = Math.max(nextMs, clock.elapsedMs() - burst * stepMs) + stepMs)
  const sleepUntil = async (atMs: number, signal?: AbortSignal): Promise<void> => {
    const leftMs = atMs - clock.elapsedMs()
    if (leftMs > 0) await clock.sleep(leftMs, signal)
  }
  return {
    async take(signal) {
      let atMs = nextTurn()
      await sleepUntil(atMs, signal)
      // A call that waited when the pause began gets a new turn. Otherwise all waiting calls would
      // arrive at once.
      while (atMs < pausedUntilMs && signal?.aborted !== true) {
        atMs = nextTurn()
        await sleepUntil(atMs, signal)
      }
    },
    pause(delayMs) {
      pausedUntilMs = Math.max(pausedUntilMs, clock.elapsedMs() + delayMs)
      // The bucket is empty after the pause, so no burst follows.
      nextMs = Math.max(nextMs, pausedUntilMs - stepMs)
    },
  }
}
