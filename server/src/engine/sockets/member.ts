import { type DrainWaiter, type Wire, socketCloseReasons } from './wire.ts'

interface MemberParts {
  wire: Wire
  /** The client's id of the subscription. */
  id: string
  queueLimit: number
  onLeave: (member: Member) => void
}

/**
 * One subscriber of a shared execution. Results are written to the socket as serialized text; only
 * results that the network does not accept wait here, one per object and bounded. For graphql-ws it
 * is a stream without results of its own, which ends.
 */
export class Member implements AsyncIterableIterator<never, undefined>, DrainWaiter {
  readonly #parts: MemberParts
  readonly #head: string
  readonly #queue = new Map<string, string>()
  readonly #end = Promise.withResolvers<IteratorResult<never, undefined>>()
  #unkeyed = 0
  #isOver = false

  constructor(parts: MemberParts) {
    this.#parts = parts
    this.#head = `{"id":${JSON.stringify(parts.id)}`
    // The promise rejects when the source fails. graphql-ws learns it through next(), unless the
    // member has left by then.
    this.#end.promise.catch(() => undefined)
  }

  /**
   * Sends or queues a message. `tail` is its rest, the same for all members; a later message
   * replaces a queued one with the same key.
   */
  push(key: string | null, tail: string): void {
    if (this.#isOver) return
    if (this.#queue.size === 0 && !this.#parts.wire.blocked)
      this.#parts.wire.post(this.#head + tail)
    else this.#enqueue(key ?? `unnamed ${this.#unkeyed++}`, tail)
  }

  onDrain(): void {
    const { wire } = this.#parts
    for (const [key, tail] of this.#queue) {
      if (wire.blocked) return wire.awaitDrain(this)
      this.#drop(key, tail)
      wire.post(this.#head + tail)
    }
    if (this.#isOver) this.#finish()
  }

  /** Called when the source has ended. Queued messages are still sent. */
  end(): void {
    this.#isOver = true
    if (this.#queue.size === 0) this.#finish()
  }

  fail(error: unknown): void {
    this.#isOver = true
    this.#end.reject(error)
  }

  next(): Promise<IteratorResult<never, undefined>> {
    return this.#end.promise
  }

  return(): Promise<IteratorResult<never, undefined>> {
    for (const [key, tail] of this.#queue) this.#drop(key, tail)
    this.#isOver = true
    this.#parts.wire.cancelDrain(this)
    this.#parts.onLeave(this)
    this.#finish()
    return this.#end.promise
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #enqueue(key: string, tail: string): void {
    const { wire, queueLimit } = this.#parts
    const older = this.#queue.get(key)
    // Deleted and added at the end, so that cursors only grow.
    if (older !== undefined) this.#drop(key, older)
    this.#queue.set(key, tail)
    wire.reserve(tail.length)
    wire.awaitDrain(this)
    if (this.#queue.size > queueLimit) wire.close(socketCloseReasons.tooSlow)
  }

  #drop(key: string, tail: string): void {
    this.#queue.delete(key)
    this.#parts.wire.reserve(-tail.length)
  }

  #finish(): void {
    this.#end.resolve({ done: true, value: undefined })
  }
}
