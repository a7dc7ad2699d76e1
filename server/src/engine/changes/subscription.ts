import { type Change, type Delivery } from '../model/change.ts'
import { type Position, cursorFromPosition, isAfter } from '../model/cursor.ts'
import { type Scope } from '../model/scope.ts'
import { backoffMs } from '../../runtime/backoff.ts'
import { type Page, type PlacedChange } from './tail.ts'

export interface SubscriptionParts {
  readonly scope: Scope
  readonly kinds: readonly Change['kind'][] | undefined
  readonly from: Position
  /** Whether to start in the log instead of at its end. */
  readonly resume: boolean
  readonly limit: number
  read(after: Position): Promise<Page>
  /** How far all live subscriptions have been told. */
  hubPosition(): Position
  sleep(delayMs: number): Promise<void>
  onClose(): void
}

/**
 * One listener's bounded queue. An object waits in it once, with its latest version, at the place
 * of that version, so cursors only grow. When a reader is so slow that the queue is full of
 * different objects, the queue stops growing and the rest is read from the log later: memory stays
 * bounded and nothing is lost. Resuming is the same thing from the start.
 */
export class Subscription implements AsyncIterableIterator<Delivery> {
  readonly #parts: SubscriptionParts
  readonly #queue = new Map<string, PlacedChange>()
  #position: Position
  #behind: boolean
  #gapAt: Position | null = null
  #closed = false
  #wake: () => void = () => undefined

  constructor(parts: SubscriptionParts) {
    this.#parts = parts
    this.#position = parts.from
    this.#behind = parts.resume
  }

  /** What a client may resume from: nothing that it has not been given stands before it. */
  get cursor(): string {
    const [next] = this.#queue.values()
    return cursorFromPosition(next ? { xid: next.at.xid, id: next.at.id - 1n } : this.#position)
  }

  get queued(): number {
    return this.#queue.size
  }

  /** From the tail, in the order of the log. */
  push(placed: PlacedChange): void {
    if (this.#behind || this.#closed || !isAfter(placed.at, this.#position)) return
    if (wants(this.#parts, placed.change) && !this.#enqueue(placed)) {
      this.#behind = true
      return
    }
    this.#position = placed.at
    this.#wake()
  }

  /** The tail itself lost its place: what is queued will be read again anyway. */
  gap(position: Position): void {
    this.#queue.clear()
    this.#gapAt = position
    this.#position = position
    this.#behind = false
    this.#wake()
  }

  async next(): Promise<IteratorResult<Delivery, undefined>> {
    while (!this.#closed) {
      const delivery = this.#take()
      if (delivery) return { done: false, value: delivery }
      await (this.#behind ? this.#catchUp() : this.#news())
    }
    return { done: true, value: undefined }
  }

  return(): Promise<IteratorResult<Delivery, undefined>> {
    this.close()
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#queue.clear()
    this.#wake()
    this.#parts.onClose()
  }

  #take(): Delivery | null {
    if (this.#gapAt) {
      const cursor = cursorFromPosition(this.#gapAt)
      this.#gapAt = null
      return { gap: true, cursor }
    }
    const [first] = this.#queue
    if (!first) return null
    const [key, { change }] = first
    this.#queue.delete(key)
    return { gap: false, change }
  }

  #enqueue(placed: PlacedChange): boolean {
    const key = `${placed.change.kind}/${placed.change.objectId}`
    const coalesced = this.#queue.delete(key)
    if (!coalesced && this.#queue.size >= this.#parts.limit) return false
    this.#queue.set(key, placed)
    return true
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  async #catchUp(): Promise<void> {
    const page = await this.#readPatiently()
    if (!page || this.#closed) return
    if (page.gap) this.#gapAt = page.position
    for (const placed of page.changes) this.#enqueue(placed)
    this.#position = page.position
    // Live again only when the hub has told nobody anything beyond this page; the check and the
    // switch are one turn.
    this.#behind = page.more || isAfter(this.#parts.hubPosition(), page.position)
  }

  async #readPatiently(): Promise<Page | null> {
    for (let failures = 0; !this.#closed; failures += 1) {
      try {
        return await this.#parts.read(this.#position)
      } catch {
        // The tail reads the same log and reports the same trouble.
        await this.#parts.sleep(50 + backoffMs(failures + 1, { firstMs: 100, capMs: 5_000 }))
      }
    }
    return null
  }
}

/** A tenant hears of its own objects and of the platform's. */
export function wants(
  { kinds, scope }: Pick<SubscriptionParts, 'kinds' | 'scope'>,
  { kind, tenantId }: Change,
): boolean {
  if (kinds && !kinds.includes(kind)) return false
  return scope === 'platform' || tenantId === null || tenantId === scope.tenantId
}
