import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { isDiskFull } from './database-fault.ts'

/** One failed write says nothing about the next one for longer than this. */
const validMs = 10_000
const logEveryMs = 60_000

/** Reports a full disk of PostgreSQL: in the log once a minute, and to the readiness check. */
export class DiskSpace {
  readonly #clock: Pick<Clock, 'elapsedMs'>
  readonly #log: Log
  #error: Error | null = null
  #fullAtMs = -Infinity
  #loggedAtMs = -Infinity

  constructor(log: Log, clock: Pick<Clock, 'elapsedMs'>) {
    this.#log = log
    this.#clock = clock
  }

  /** The error of a write that failed just now because the disk was full; null otherwise. */
  get recentError(): Error | null {
    return this.#clock.elapsedMs() - this.#fullAtMs < validMs ? this.#error : null
  }

  /** Records the error of a write. */
  record(error: unknown): void {
    if (!isDiskFull(error)) return
    const nowMs = this.#clock.elapsedMs()
    this.#error = error
    this.#fullAtMs = nowMs
    if (nowMs - this.#loggedAtMs < logEveryMs) return
    this.#loggedAtMs = nowMs
    this.#log.error('database.disk_full', {
      error,
      effect: 'changes fail and /readyz answers 503; everything that was acknowledged is stored',
      remedy: 'make room on the disk of PostgreSQL; Berth goes on without a restart',
    })
  }
}
