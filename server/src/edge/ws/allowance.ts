import { type Clock } from '../../runtime/clock.ts'
import { type SocketLimits } from './socket-limits.ts'

/** A token bucket: so many at once, then so many a second. */
export class Allowance {
  readonly #limits: Pick<SocketLimits, 'messageBurst' | 'messagesPerSecond'>
  readonly #clock: Pick<Clock, 'elapsedMs'>
  #left: number
  #atMs: number

  constructor(
    limits: Pick<SocketLimits, 'messageBurst' | 'messagesPerSecond'>,
    clock: Pick<Clock, 'elapsedMs'>,
  ) {
    this.#limits = limits
    this.#clock = clock
    this.#left = limits.messageBurst
    this.#atMs = clock.elapsedMs()
  }

  /** As of the last time that one was taken. */
  get left(): number {
    return this.#left
  }

  take(): boolean {
    const { messageBurst, messagesPerSecond } = this.#limits
    const nowMs = this.#clock.elapsedMs()
    this.#left = Math.min(
      messageBurst,
      this.#left + ((nowMs - this.#atMs) / 1_000) * messagesPerSecond,
    )
    this.#atMs = nowMs
    if (this.#left < 1) return false
    this.#left -= 1
    return true
  }
}
