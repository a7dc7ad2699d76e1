import { type Position } from '../model/cursor.ts'
import { backoffMs } from '../../runtime/backoff.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { type ChangeLog, type Page } from './tail.ts'

export interface Tail {
  /** The doorbell rang: read now. */
  wake(): void
  stop(): Promise<void>
}

interface TailParts {
  readonly changeLog: ChangeLog
  readonly clock: Clock
  readonly log: Log
  readonly pollMs?: number
  /** Gets the pages in order, also empty ones; the first only says where the log ends. */
  readonly onPage: (page: Page) => void
}

const pageSize = 500
/** Commits come in bursts: one that comes alone is read at once, those right behind it together. */
const gatherMs = 25

/**
 * Follows the end of the log for ever: on the doorbell, and every second in case the doorbell is
 * deaf.
 */
export async function startTail({
  changeLog,
  clock,
  log,
  pollMs = 1_000,
  onPage,
}: TailParts): Promise<Tail> {
  const stopped = new AbortController()
  let bell = new AbortController()
  const first = await changeLog.read({ after: null, limit: pageSize, scope: 'platform' })
  onPage(first)

  const readOn = async (after: Position): Promise<Position> => {
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
      const earlyMs = readAtMs + gatherMs - clock.elapsedMs()
      if (earlyMs > 0) await clock.sleep(earlyMs, stopped.signal)
      // Taken before reading, so that a ring during the read is not slept over.
      const heard = bell.signal
      try {
        position = await readOn(position)
        failures = 0
      } catch (error) {
        failures += 1
        log.warn('the change log cannot be read', { error, failures })
      }
      readAtMs = clock.elapsedMs()
      const waitMs =
        failures === 0 ? pollMs : pollMs / 2 + backoffMs(failures, { firstMs: 100, capMs: 5_000 })
      await clock.sleep(
        waitMs,
        failures === 0 ? AbortSignal.any([heard, stopped.signal]) : stopped.signal,
      )
    }
  }

  const running = follow()
  return {
    wake() {
      bell.abort('rung')
      bell = new AbortController()
    },
    async stop() {
      stopped.abort()
      await running
    },
  }
}
