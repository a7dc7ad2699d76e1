import { type KubeObject } from '../../objects/types.ts'

/** A write of one object, as watches report it. */
export interface StoreEvent {
  version: number
  type: 'ADDED' | 'MODIFIED' | 'DELETED'
  key: string
  object: KubeObject
  /**
   * The previous state. A selector needs it to detect objects that enter or leave the selection.
   */
  previous: KubeObject | null
}

/** Recent events of one resource. Resumed watches and lists at an earlier version read them. */
export class History {
  #events: StoreEvent[] = []
  #oldest: number
  readonly #limit: number

  constructor(oldest: number, limit: number) {
    this.#oldest = oldest
    this.#limit = limit
  }

  /** The lowest version after which all events are known. */
  get oldest(): number {
    return this.#oldest
  }

  add(event: StoreEvent): void {
    this.#events.push(event)
    // Events are dropped in bulk, because dropping one at a time would copy the array on every
    // write.
    if (this.#events.length > this.#limit * 2) this.#dropOldest(this.#events.length - this.#limit)
  }

  after(version: number): StoreEvent[] {
    let start = this.#events.length
    while (start > 0 && (this.#events[start - 1]?.version ?? 0) > version) start -= 1
    return this.#events.slice(start)
  }

  /** Drops events up to the version, as an etcd compaction does. */
  forgetUpTo(version: number): void {
    const keep = this.after(version)
    this.#events = keep
    this.#oldest = Math.max(this.#oldest, version)
  }

  #dropOldest(count: number): void {
    const dropped = this.#events.splice(0, count)
    this.#oldest = dropped.at(-1)?.version ?? this.#oldest
  }
}
