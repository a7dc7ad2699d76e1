import { type Clock } from '../../runtime/clock.ts'

export interface TokenBucket {
  /** Resolves when the call may leave; at once when the signal is aborted. */
  take(signal?: AbortSignal): Promise<void>
  /** Nobody's call leaves before this long: the cluster asked for rest. */
  pause(delayMs: number): void
}

/** One bucket for the whole cluster and not one per job: what the API server sees is the sum. */
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
   * When the bucket was last empty, so to speak: a call moves it on by one step, and it never lies
   * further back than a burst.
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
      // Who was waiting when the cluster asked for rest gets a new turn, or all of them would
      // arrive at once.
      while (atMs < pausedUntilMs && signal?.aborted !== true) {
        atMs = nextTurn()
        await sleepUntil(atMs, signal)
      }
    },
    pause(delayMs) {
      pausedUntilMs = Math.max(pausedUntilMs, clock.elapsedMs() + delayMs)
      // Nor is there a burst afterwards.
      nextMs = Math.max(nextMs, pausedUntilMs - stepMs)
    },
  }
}
