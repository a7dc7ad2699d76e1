import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

/*
 * An orderly end. Whoever opens something registers how to close it; the end runs these in reverse
 * order, so that nothing is closed under somebody who still uses it. Each has its limit and all
 * together have one, because what waits outside (systemd, Kubernetes) kills after 30 s. A closer
 * that fails or hangs is logged and passed over.
 */
export interface Stop {
  /** Aborted as soon as the end begins: loops and waits listen to it. */
  readonly signal: AbortSignal
  /** What is registered after the end has begun is closed at once. */
  onStop(name: string, close: () => Promise<void> | void, limitMs?: number): void
  /**
   * Begins the end, or joins the one that has begun. Resolves when everything is closed; never
   * rejects.
   */
  now(reason: string): Promise<void>
}

interface Closer {
  name: string
  close: () => Promise<void> | void
  limitMs: number
}

const defaultLimitMs = 5_000
const totalLimitMs = 25_000

export function createStop({ log, clock }: { log: Log; clock: Clock }): Stop {
  const begun = new AbortController()
  const closers: Closer[] = []
  let ended: Promise<void> | null = null
  let deadline = 0

  const end = async (reason: string): Promise<void> => {
    deadline = clock.elapsedMs() + totalLimitMs
    log.info('stopping', { reason })
    begun.abort()
    // Not a plain loop over a copy: a start that is still under way may register more.
    for (let closer = closers.pop(); closer; closer = closers.pop())
      await closeWithin(closer, Math.min(closer.limitMs, deadline - clock.elapsedMs()))
    log.info('stopped')
  }
  const closeWithin = async ({ name, close }: Closer, limitMs: number): Promise<void> => {
    const closed = new AbortController()
    const closing = (async () => close())().catch((error: unknown) =>
      log.error('could not be closed', { name, error }),
    )
    const late = clock.sleep(Math.max(limitMs, 0), closed.signal).then(() => 'late' as const)
    if ((await Promise.race([closing, late])) === 'late')
      log.warn('takes too long to close and is left behind', { name, limitMs })
    closed.abort()
  }
  return {
    signal: begun.signal,
    onStop(name, close, limitMs = defaultLimitMs) {
      closers.push({ name, close, limitMs })
      if (begun.signal.aborted) ended = Promise.all([ended, drainLate()]).then(() => undefined)
    },
    now: (reason) => (ended ??= end(reason)),
  }

  async function drainLate(): Promise<void> {
    for (let closer = closers.pop(); closer; closer = closers.pop())
      await closeWithin(closer, closer.limitMs)
  }
}

/**
 * The first signal begins the end; any further one changes nothing, because npm and pnpm send the
 * terminal's Ctrl-C once more.
 */
export function stopOnSignals(stop: Stop, afterwards: () => void): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (!stop.signal.aborted) void stop.now(name).then(afterwards)
    })
  }
}
