import { type Subscription } from '../../../engine/changes/subscription.ts'
import { type ChangeKind } from '../../../engine/model/change.ts'
import { Fault } from '../../../engine/model/fault.ts'
import { type FieldContext } from '../context.ts'
import { messageOf } from '../../../engine/model/message.ts'

interface Versioned {
  id: string
  version: number
}

interface Watched<View> {
  kind: ChangeKind
  noun: string
  /** Null when it is not there, or not for the viewer. */
  read: () => Promise<View | null>
  /** Nothing will change in it any more. */
  isOver?: (view: View) => boolean
}

/** One row as its viewer may see it, now and after each change, until it is over or gone. */
export async function watchRow<View extends Versioned>(
  { hub, scope }: Pick<FieldContext, 'hub' | 'scope'>,
  { kind, noun, read, isOver = () => false }: Watched<View>,
): Promise<AsyncIterableIterator<View>> {
  // Listening begins before reading: what changes in between is heard.
  const changes = hub.subscribe({ scope, kinds: [kind] })
  try {
    const present = await read()
    if (!present) throw new Fault('not_found', messageOf('request.nothing_with_id', { noun }))
    return new RowWatch(changes, present, { read, isOver })
  } catch (error) {
    changes.close()
    throw error
  }
}

/**
 * Not an async generator: one that waits for the next change could not be ended before it comes.
 */
class RowWatch<View extends Versioned> implements AsyncIterableIterator<View> {
  readonly #changes: Subscription
  readonly #row: Required<Pick<Watched<View>, 'read' | 'isOver'>>
  #waiting: View | null
  #seen: View

  constructor(
    changes: Subscription,
    present: View,
    row: Required<Pick<Watched<View>, 'read' | 'isOver'>>,
  ) {
    this.#changes = changes
    this.#row = row
    this.#seen = present
    this.#waiting = present
  }

  async next(): Promise<IteratorResult<View, undefined>> {
    const value = this.#waiting ?? (this.#row.isOver(this.#seen) ? null : await this.#changed())
    this.#waiting = null
    if (!value) return this.return()
    this.#seen = value
    return { done: false, value }
  }

  return(): Promise<IteratorResult<View, undefined>> {
    this.#changes.close()
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** The next newer state; null when nothing more will come. */
  async #changed(): Promise<View | null> {
    for await (const delivery of this.#deliveries()) {
      if (!delivery.gap && delivery.change.objectId !== this.#seen.id) continue
      const read = await this.#row.read()
      if (!read || read.version > this.#seen.version) return read
    }
    return null
  }

  /** Without `return`, so that leaving the loop leaves the subscription open. */
  #deliveries() {
    return { [Symbol.asyncIterator]: () => ({ next: () => this.#changes.next() }) }
  }
}
