import { type Subscription } from '../../../engine/changes/subscription.ts'
import { type ChangeKind } from '../../../engine/model/change.ts'
import { Fault } from '../../../engine/model/fault.ts'
import { type FieldContext } from '../context.ts'
import { type Noun, messageOf } from '../../../engine/model/message.ts'

interface Versioned {
  id: string
  version: number
}

interface WatchedRow<View> {
  kind: ChangeKind
  noun: Noun
  /** Returns null when the row does not exist or the viewer may not see it. */
  read: () => Promise<View | null>
  /** True when the row will not change any more. */
  isOver?: (view: View) => boolean
}

/**
 * Sends one row as its viewer may see it, now and after each change, until it is final or deleted.
 */
export async function watchRow<View extends Versioned>(
  { hub, scope }: Pick<FieldContext, 'hub' | 'scope'>,
  { kind, noun, read, isOver = () => false }: WatchedRow<View>,
): Promise<AsyncIterableIterator<View>> {
  // Subscribes before the read, so a change in between is not missed.
  const changes = hub.subscribe({ scope, kinds: [kind] })
  try {
    const present = await read()
    if (!present)
      throw new Fault(
        'not_found',
        messageOf('request.nothing_with_id', { noun: messageOf(`noun.${noun}`) }),
      )
    return new RowWatch(changes, present, { read, isOver })
  } catch (error) {
    changes.close()
    throw error
  }
}

/**
 * An async generator that waits for the next change cannot be ended before that change comes. This
 * class can.
 */
class RowWatch<View extends Versioned> implements AsyncIterableIterator<View> {
  readonly #changes: Subscription
  readonly #row: Required<Pick<WatchedRow<View>, 'read' | 'isOver'>>
  #pending: View | null
  #latest: View

  constructor(
    changes: Subscription,
    present: View,
    row: Required<Pick<WatchedRow<View>, 'read' | 'isOver'>>,
  ) {
    this.#changes = changes
    this.#row = row
    this.#latest = present
    this.#pending = present
  }

  async next(): Promise<IteratorResult<View, undefined>> {
    const value = this.#pending ?? (this.#row.isOver(this.#latest) ? null : await this.#changed())
    this.#pending = null
    if (!value) return this.return()
    this.#latest = value
    return { done: false, value }
  }

  return(): Promise<IteratorResult<View, undefined>> {
    this.#changes.close()
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Returns the next newer state. Null when no more changes will come. */
  async #changed(): Promise<View | null> {
    for await (const delivery of this.#deliveries()) {
      if (!delivery.gap && delivery.change.objectId !== this.#latest.id) continue
      const read = await this.#row.read()
      if (!read || read.version > this.#latest.version) return read
    }
    return null
  }

  /** The iterator has no `return`, so leaving the loop keeps the subscription open. */
  #deliveries() {
    return { [Symbol.asyncIterator]: () => ({ next: () => this.#changes.next() }) }
  }
}
