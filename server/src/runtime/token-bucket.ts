import { type Clock } from './clock.ts'

/** The capacity of the bucket, and how fast it refills. */
export interface TokenBucketRate {
  burst: number
  perSecond: number
}

/** A token bucket: it allows a burst, then a fixed rate per second. */
export class TokenBucket {
  readonly #rate: TokenBucketRate
  readonly #clock: Pick<Clock, 'elapsedMs'>
  #left: number
  #atMs: number

  constructor(rate: TokenBucketRate, clock: Pick<Clock, 'elapsedMs'>) {
    this.#rate = rate
    this.#clock = clock
    this.#left = rate.burst
    this.#atMs = clock.elapsedMs()
  }

  /** The tokens that remained after the last call of `take`. */
  get remaining(): number {
    return this.#left
  }

  /** Takes a token. False when the bucket is empty. */
  take(): boolean {
    const { burst, perSecond } = this.#rate
    const nowMs = this.#clock.elapsedMs()
    this.#left = Math.min(burst, this.#left + ((nowMs - this.#atMs) / 1_000) * perSecond)
    this.#atMs = nowMs
    if (this.#left < 1) return false
    this.#left -= 1
    return true
  }
}
