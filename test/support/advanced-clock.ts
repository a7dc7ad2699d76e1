import { type Clock, repeat, systemClock } from '../../server/src/runtime/clock.ts'

/** The system clock, which a test can advance. */
export interface AdvancedClock extends Clock {
  /** Advances time at once, and ends the sleeps that fall due. */
  advance(ms: number): void
}

export function advancedClock(): AdvancedClock {
  let aheadMs = 0
  let advanced = new AbortController()
  const elapsedMs = (): number => systemClock.elapsedMs() + aheadMs
  const sleep: Clock['sleep'] = async (delayMs, signal) => {
    const dueMs = elapsedMs() + delayMs
    for (let leftMs = delayMs; leftMs > 0 && signal?.aborted !== true; leftMs = dueMs - elapsedMs())
      await systemClock.sleep(
        leftMs,
        AbortSignal.any([advanced.signal, ...(signal ? [signal] : [])]),
      )
  }
  return {
    now: () => new Date(systemClock.now().getTime() + aheadMs),
    elapsedMs,
    sleep,
    every: (periodMs, task) => repeat({ sleep }, periodMs, task),
    advance(ms) {
      aheadMs += ms
      const passed = advanced
      advanced = new AbortController()
      passed.abort()
    },
  }
}
