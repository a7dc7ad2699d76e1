import { type Waiting, type Wire, closing } from './wire.ts'

interface MemberParts {
  wire: Wire
  /** The id that the client gave its subscription. */
  id: string
  queueLimit: number
  onLeave: (member: Member) => void
}

/**
 * One subscriber of a shared execution. Results go straight to the wire as finished text; only what
 * the network does not take waits here, once per object and bounded. To graphql-ws it is a stream
 * without results of its own, which ends.
 */
export class Member implements AsyncIterableIterator<never, undefined>, Waiting {
  readonly #parts: MemberParts
  readonly #head: string
  readonly #queue = new Map<string, string>()
  readonly #end = Promise.withResolvers<IteratorResult<never, undefined>>()
  #unnamed = 0
  #over = false

  constructor(parts: MemberParts) {
    this.#parts = parts
    this.#head = `{"id":${JSON.stringify(parts.id)}`
    // Rejected when the source fails; graphql-ws hears it through next(), unless the member has
    // left by then.
    this.#end.promise.catch(() => undefined)
  }

  /**
   * `tail` is the rest of the message, the same for all members; of two with one key only the later
   * is worth sending.
   */
  push(key: string | null, tail: string): void {
    if (this.#over) return
    if (this.#queue.size === 0 && !this.#parts.wire.blocked)
      this.#parts.wire.post(this.#head + tail)
    else this.#enqueue(key ?? `unnamed ${this.#unnamed++}`, tail)
  }

  flush(): void {
    const { wire } = this.#parts
    for (const [key, tail] of this.#queue) {
      if (wire.blocked) return wire.awaitDrain(this)
      this.#drop(key, tail)
      wire.post(this.#head + tail)
    }
    if (this.#over) this.#finish()
  }

  /** The source has ended: what waits is still sent. */
  end(): void {
    this.#over = true
    if (this.#queue.size === 0) this.#finish()
  }

  fail(error: unknown): void {
    this.#over = true
    this.#end.reject(error)
  }

  next(): Promise<IteratorResult<never, undefined>> {
    return this.#end.promise
  }

  return(): Promise<IteratorResult<never, undefined>> {
    for (const [key, tail] of this.#queue) this.#drop(key, tail)
    this.#over = true
    this.#parts.wire.forget(this)
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
    // Taken out and put back at the end, so that cursors only grow.
    if (older !== undefined) this.#drop(key, older)
    this.#queue.set(key, tail)
    wire.hold(tail.length)
    wire.awaitDrain(this)
    if (this.#queue.size > queueLimit) wire.close(closing.tooSlow)
  }

  #drop(key: string, tail: string): void {
    this.#queue.delete(key)
    this.#parts.wire.hold(-tail.length)
  }

  #finish(): void {
    this.#end.resolve({ done: true, value: undefined })
  }
}
