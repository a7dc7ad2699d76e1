import { performance } from 'node:perf_hooks'

/**
 * Time as the process sees it. Correctness never rests on it (leases and deadlines use the
 * database's clock).
 */
export interface Clock {
  now(): Date
  /** Monotonic milliseconds, for durations. */
  elapsedMs(): number
  /** Resolves after the delay, or at once when the signal aborts; never rejects. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>
  /** Runs `task` every `periodMs` until stopped; a slow run is never overlapped by the next. */
  every(periodMs: number, task: () => Promise<void> | void): Stoppable
}

export interface Stoppable {
  stop(): Promise<void>
}

export const systemClock: Clock = {
  now: () => new Date(),
  elapsedMs: () => performance.now(),
  // By hand: Node's own makes an error for each sleep that is cut short, with its stack (measured:
  // 3 % of a deploy).
  sleep(delayMs, signal) {
    if (signal?.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      const timer = setTimeout(wake, delayMs)
      signal?.addEventListener('abort', wake, { once: true })
    })
  },
  every(periodMs, task) {
    const stopped = new AbortController()
    const running = repeat(periodMs, task, stopped.signal)
    return {
      async stop() {
        stopped.abort('stopped')
        await running
      },
    }
  },
}

async function repeat(
  periodMs: number,
  task: () => Promise<void> | void,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    await systemClock.sleep(periodMs, signal)
    if (signal.aborted) return
    await task()
  }
}
