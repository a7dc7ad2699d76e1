import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

/*
 * Stops the process in order. A part that is opened registers its closer, and the closers run in
 * reverse order. No part is therefore closed while another still uses it. Each closer has a limit
 * and all together have one, because systemd and Kubernetes kill after 30 s. A closer that fails or
 * hangs is logged and skipped.
 */
export interface Stop {
  /**
   * Aborted when the stop is announced. The process still serves everything, and its readiness
   * check fails, so that load balancers choose other replicas.
   */
  readonly leaving: AbortSignal
  /** Aborted when the stop begins. Loops and waits listen to it. */
  readonly signal: AbortSignal
  /** Registers a closer. It runs immediately when the stop has begun already. */
  onStop(name: string, close: () => Promise<void> | void, limitMs?: number): void
  /**
   * Begins the stop, or joins one that has begun. Resolves when everything is closed; never
   * rejects.
   */
  now(reason: string): Promise<void>
  /** Announces the stop, and begins it after the delay. A call of `now` begins it at once. */
  after(delayMs: number, reason: string): Promise<void>
}

interface Closer {
  name: string
  close: () => Promise<void> | void
  limitMs: number
}

const defaultLimitMs = 5_000
const totalLimitMs = 25_000
const untilStop = '/readyz answers 503; requests are served until the stop begins'

export function createStop({ log, clock }: { log: Log; clock: Clock }): Stop {
  const leaving = new AbortController()
  const begun = new AbortController()
  const closers: Closer[] = []
  let ended: Promise<void> | null = null
  let deadline = 0

  const end = async (reason: string): Promise<void> => {
    deadline = clock.elapsedMs() + totalLimitMs
    log.info('program.stopping', { reason })
    leaving.abort()
    begun.abort()
    // The loop pops, because a start that is still running may register more.
    for (let closer = closers.pop(); closer; closer = closers.pop())
      await closeWithin(closer, Math.min(closer.limitMs, deadline - clock.elapsedMs()))
    log.info('program.stopped')
  }
  const closeWithin = async ({ name, close }: Closer, limitMs: number): Promise<void> => {
    const closed = new AbortController()
    const closing = (async () => close())().catch((error: unknown) =>
      log.error('program.part_close_failed', {
        part: name,
        error,
        effect: 'the stop goes on without this part; an embedded PostgreSQL may keep running',
        remedy: 'read the error; before you copy the data folder, check that no PostgreSQL uses it',
      }),
    )
    const late = clock.sleep(Math.max(limitMs, 0), closed.signal).then(() => 'late' as const)
    if ((await Promise.race([closing, late])) === 'late')
      log.warn('program.part_close_timed_out', {
        part: name,
        limitMs,
        effect: 'the stop goes on without this part; an embedded PostgreSQL may keep running',
        remedy: 'none; before you copy the data folder, check that no PostgreSQL uses it',
      })
    closed.abort()
  }
  const now = (reason: string): Promise<void> => (ended ??= end(reason))
  return {
    leaving: leaving.signal,
    signal: begun.signal,
    onStop(name, close, limitMs = defaultLimitMs) {
      closers.push({ name, close, limitMs })
      if (begun.signal.aborted) ended = Promise.all([ended, drainLate()]).then(() => undefined)
    },
    now,
    async after(delayMs, reason) {
      leaving.abort()
      if (delayMs > 0)
        log.info('program.stop_announced', { reason, stopInMs: delayMs, effect: untilStop })
      await clock.sleep(delayMs, begun.signal)
      await now(reason)
    },
  }

  async function drainLate(): Promise<void> {
    for (let closer = closers.pop(); closer; closer = closers.pop())
      await closeWithin(closer, closer.limitMs)
  }
}

interface SignalStop {
  /** Returns the delay between the signal and the stop. */
  delayMs: () => number
  afterwards: () => void
}

/**
 * Stops on the first signal and ignores later ones, because npm and pnpm send the terminal's Ctrl-C
 * again.
 */
export function stopOnSignals(stop: Stop, { delayMs, afterwards }: SignalStop): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (!stop.leaving.aborted) void stop.after(delayMs(), name).then(afterwards)
    })
  }
}
