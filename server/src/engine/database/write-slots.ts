import { type Clock } from '../../runtime/clock.ts'
import { Fault } from '../model/fault.ts'
import { messageOf } from '../model/message.ts'
import { type Scope } from '../model/scope.ts'

/** How many connections of a pool writes may use at once. The rest stays free for reads. */
export interface WriteLimits {
  /** The most of all writes together. */
  readonly total: number
  /** The most of the writes of one tenant. */
  readonly perTenant: number
}

/** Writes that waited longer are refused, so that their clients can try again. */
const longestWaitMs = 15_000

interface Waiting {
  readonly owner: string
  readonly start: () => void
}

/**
 * Limits the units that run at once. The units of one tenant often wait for each other, for its
 * quota or for a locked row. If each of them held a connection while it waits, no other tenant
 * could read or write. A unit therefore waits here, without a connection.
 */
export class WriteSlots {
  readonly #limits: WriteLimits
  readonly #clock: Pick<Clock, 'sleep'>
  readonly #running = new Map<string, number>()
  #waiting: Waiting[] = []

  constructor(limits: WriteLimits, clock: Pick<Clock, 'sleep'>) {
    this.#limits = limits
    this.#clock = clock
  }

  /** The number of units that wait for a slot. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Runs the unit when its tenant has a free slot. */
  async run<T>(scope: Scope, unit: () => Promise<T>): Promise<T> {
    const owner = scope === 'platform' ? scope : scope.tenantId
    if (this.#hasRoomFor(owner)) this.#occupy(owner)
    else await this.#turnOf(owner)
    try {
      return await unit()
    } finally {
      this.#release(owner)
    }
  }

  async #turnOf(owner: string): Promise<void> {
    const turn = Promise.withResolvers<'started'>()
    const entry = { owner, start: () => turn.resolve('started') }
    this.#waiting.push(entry)
    const started = new AbortController()
    const late = this.#clock.sleep(longestWaitMs, started.signal).then(() => 'late' as const)
    const result = await Promise.race([turn.promise, late])
    started.abort()
    if (result !== 'late' || !this.#waiting.includes(entry)) return
    this.#waiting = this.#waiting.filter((each) => each !== entry)
    throw new Fault('overloaded', messageOf('request.writes_waiting'), { retryAfterSeconds: 2 })
  }

  /** Gives the slot to the unit whose tenant has the fewest running, and of these to the oldest. */
  #release(owner: string): void {
    const left = this.#runningOf(owner) - 1
    if (left > 0) this.#running.set(owner, left)
    else this.#running.delete(owner)
    const next = this.#waiting
      .filter((each) => this.#hasRoomFor(each.owner))
      .reduce<Waiting | null>(
        (best, each) =>
          best && this.#runningOf(best.owner) <= this.#runningOf(each.owner) ? best : each,
        null,
      )
    if (!next) return
    this.#waiting = this.#waiting.filter((each) => each !== next)
    this.#occupy(next.owner)
    next.start()
  }

  #occupy(owner: string): void {
    this.#running.set(owner, this.#runningOf(owner) + 1)
  }

  #runningOf(owner: string): number {
    return this.#running.get(owner) ?? 0
  }

  /** The platform's own units leave a tenant's share of the slots free. */
  #hasRoomFor(owner: string): boolean {
    const { total, perTenant } = this.#limits
    const running = [...this.#running.values()].reduce((sum, count) => sum + count, 0)
    const most = owner === 'platform' ? Math.max(1, total - perTenant) : perTenant
    return running < total && this.#runningOf(owner) < most
  }
}
