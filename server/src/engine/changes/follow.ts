import { type Position } from '../model/cursor.ts'
import { backoffMs } from '../../runtime/backoff.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { type ChangeLog, type Page } from './tail.ts'

export interface Tail {
  /** Reads the log now. Called when the doorbell rings. */
  notify(): void
  stop(): Promise<void>
}

interface TailParts {
  readonly changeLog: ChangeLog
  readonly clock: Clock
  readonly log: Log
  readonly pollMs?: number
  /**
   * Called with the pages in order, including empty ones. The first page only tells where the log
   * ends.
   */
  readonly onPage: (page: Page) => void
}

const pageSize = 500
/**
 * Commits come in bursts. A single commit is read at once; commits that follow closely are read
 * together.
 */
const burstMs = 25

const liveUpdatesWait = {
  effect: 'live updates wait; Berth reads the log again within 6 s',
  remedy: 'none, unless failures grows: check PostgreSQL',
}

/**
 * Follows the end of the change log. It reads new changes on each doorbell, and every second in
 * case the doorbell is disconnected.
 */
export async function startTail({
  changeLog,
  clock,
  log,
  pollMs = 1_000,
  onPage,
}: TailParts): Promise<Tail> {
  const stopped = new AbortController()
  let notification = new AbortController()
  const first = await changeLog.read({ after: null, limit: pageSize, scope: 'platform' })
  onPage(first)

  const readFrom = async (after: Position): Promise<Position> => {
    let position = after
    for (let more = true; more && !stopped.signal.aborted;) {
      const page = await changeLog.read({ after: position, limit: pageSize, scope: 'platform' })
      position = page.position
      more = page.more
      onPage(page)
    }
    return position
  }

  const follow = async (): Promise<void> => {
    let position = first.position
    let failures = 0
    let readAtMs = 0
    while (!stopped.signal.aborted) {
      const waitForBurstMs = readAtMs + burstMs - clock.elapsedMs()
      if (waitForBurstMs > 0) await clock.sleep(waitForBurstMs, stopped.signal)
      // The signal is read before the log, so that a notification during the read is not missed.
      const notified = notification.signal
      try {
        position = await readFrom(position)
        failures = 0
      } catch (error) {
        failures += 1
        log.warn('change_log.read_failed', { error, failures, ...liveUpdatesWait })
      }
      readAtMs = clock.elapsedMs()
      const waitMs =
        failures === 0 ? pollMs : pollMs / 2 + backoffMs(failures, { firstMs: 100, capMs: 5_000 })
      await clock.sleep(
        waitMs,
        failures === 0 ? AbortSignal.any([notified, stopped.signal]) : stopped.signal,
      )
    }
  }

  const running = follow()
  return {
    notify() {
      notification.abort('notified')
      notification = new AbortController()
    },
    async stop() {
      stopped.abort()
      await running
    },
  }
}
