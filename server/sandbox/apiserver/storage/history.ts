import { type KubeObject } from '../../objects/types.ts'

export interface StoreEvent {
  version: number
  type: 'ADDED' | 'MODIFIED' | 'DELETED'
  key: string
  object: KubeObject
  /** The state before, so that a selector can tell who entered and who left. */
  previous: KubeObject | null
}

/**
 * The recent past of one resource: feeds watches that resume and lists that ask for an earlier
 * version.
 */
export class History {
  #events: StoreEvent[] = []
  #oldest: number
  readonly #limit: number

  constructor(oldest: number, limit: number) {
    this.#oldest = oldest
    this.#limit = limit
  }

  /** The lowest version from which every later event is still known. */
  get oldest(): number {
    return this.#oldest
  }

  add(event: StoreEvent): void {
    this.#events.push(event)
    // Cut in bulk: shifting one at a time would copy the array on every write.
    if (this.#events.length > this.#limit * 2) this.#forget(this.#events.length - this.#limit)
  }

  after(version: number): StoreEvent[] {
    let start = this.#events.length
    while (start > 0 && (this.#events[start - 1]?.version ?? 0) > version) start -= 1
    return this.#events.slice(start)
  }

  /** Drops everything known up to the version, as a compaction does. */
  forgetUpTo(version: number): void {
    const keep = this.after(version)
    this.#events = keep
    this.#oldest = Math.max(this.#oldest, version)
  }

  #forget(count: number): void {
    const dropped = this.#events.splice(0, count)
    this.#oldest = dropped.at(-1)?.version ?? this.#oldest
  }
}
