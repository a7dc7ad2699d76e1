import { type Change, type Delivery } from '../model/change.ts'
import { type Position, cursorFromPosition, isAfter } from '../model/cursor.ts'
import { type Scope } from '../model/scope.ts'
import { backoffMs } from '../../runtime/backoff.ts'
import { type Page, type LogEntry } from './tail.ts'

export interface SubscriptionParts {
  readonly scope: Scope
  readonly kinds: readonly Change['kind'][] | undefined
  readonly from: Position
  /** True to start from the log instead of at its end. */
  readonly resume: boolean
  readonly limit: number
  read(after: Position): Promise<Page>
  /** The position up to which the hub has published. */
  hubPosition(): Position
  sleep(delayMs: number): Promise<void>
  onClose(): void
}

/**
 * The bounded queue of one subscriber. An object waits in it once, with its latest version at the
 * position of that version, so cursors only grow. It stays a creation until it is delivered. When
 * the queue is full of different objects, it stops growing and the rest is read from the log later.
 * Memory stays bounded and no change is lost. A resume works the same way from the start.
 */
export class Subscription implements AsyncIterableIterator<Delivery> {
  readonly #parts: SubscriptionParts
  readonly #queue = new Map<string, LogEntry>()
  #position: Position
  #behind: boolean
  #gapAt: Position | null = null
  #closed = false
  #notify: () => void = () => undefined

  constructor(parts: SubscriptionParts) {
    this.#parts = parts
    this.#position = parts.from
    this.#behind = parts.resume
  }

  /** The cursor from which a client can resume: every change before it has been delivered. */
  get cursor(): string {
    const [next] = this.#queue.values()
    return cursorFromPosition(next ? { xid: next.at.xid, id: next.at.id - 1n } : this.#position)
  }

  get queued(): number {
    return this.#queue.size
  }

  /** Queues a change of the tail. Changes arrive in the order of the log. */
  push(entry: LogEntry): void {
    if (this.#behind || this.#closed || !isAfter(entry.at, this.#position)) return
    if (includesChange(this.#parts, entry.change) && !this.#enqueue(entry)) {
      this.#behind = true
      return
    }
    this.#position = entry.at
    this.#notify()
  }

  /**
   * Handles a gap of the tail. Queued changes are dropped, because the subscriber reads everything
   * again.
   */
  gap(position: Position): void {
    this.#queue.clear()
    this.#gapAt = position
    this.#position = position
    this.#behind = false
    this.#notify()
  }

  async next(): Promise<IteratorResult<Delivery, undefined>> {
    while (!this.#closed) {
      const delivery = this.#take()
      if (delivery) return { done: false, value: delivery }
      await (this.#behind ? this.#catchUp() : this.#waitForChange())
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
    this.#notify()
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

  #enqueue(entry: LogEntry): boolean {
    const key = `${entry.change.kind}/${entry.change.objectId}`
    const replaced = this.#queue.get(key)
    if (!replaced && this.#queue.size >= this.#parts.limit) return false
    this.#queue.delete(key)
    const isCreation = entry.change.isCreation || replaced?.change.isCreation === true
    this.#queue.set(key, { at: entry.at, change: { ...entry.change, isCreation } })
    return true
  }

  #waitForChange(): Promise<void> {
    return new Promise((resolve) => {
      this.#notify = resolve
    })
  }

  async #catchUp(): Promise<void> {
    const page = await this.#readWithRetries()
    if (!page || this.#closed) return
    if (page.gap) this.#gapAt = page.position
    for (const entry of page.changes) this.#enqueue(entry)
    this.#position = page.position
    // The subscription is live again only when the hub has published nothing beyond this page. The
    // check and the switch happen in one turn.
    this.#behind = page.more || isAfter(this.#parts.hubPosition(), page.position)
  }

  async #readWithRetries(): Promise<Page | null> {
    for (let failures = 0; !this.#closed; failures += 1) {
      try {
        return await this.#parts.read(this.#position)
      } catch {
        // The tail reads the same log and logs the same failure.
        await this.#parts.sleep(50 + backoffMs(failures + 1, { firstMs: 100, capMs: 5_000 }))
      }
    }
    return null
  }
}

/**
 * True when the subscription includes the change. A tenant sees its own changes and those of the
 * platform.
 */
export function includesChange(
  { kinds, scope }: Pick<SubscriptionParts, 'kinds' | 'scope'>,
  { kind, tenantId }: Change,
): boolean {
  if (kinds && !kinds.includes(kind)) return false
  return scope === 'platform' || tenantId === null || tenantId === scope.tenantId
}
