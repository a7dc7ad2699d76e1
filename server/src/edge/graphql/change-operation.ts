import { type Subscription } from '../../changes/subscription.ts'
import { Fault } from '../../domain/fault.ts'
import { isFinal } from '../../domain/operation/lifecycle.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type FieldContext } from './context.ts'

/** One operation as its viewer may see it, now and after each change, until it has ended. */
export async function watchOperation({ hub, scope, reads }: FieldContext, id: string): Promise<AsyncIterableIterator<OperationView>> {
  // Listening begins before reading: what changes in between is heard.
  const changes = hub.subscribe({ scope, kinds: ['operation'] })
  try {
    const present = await reads.operations.find(id)
    if (!present) throw new Fault('not_found', 'There is no operation with this id.')
    return new OperationWatch(changes, present, () => reads.operations.find(id))
  } catch (error) {
    changes.close()
    throw error
  }
}

/** Not an async generator: one that waits for the next change could not be ended before it comes. */
class OperationWatch implements AsyncIterableIterator<OperationView> {
  readonly #changes: Subscription
  readonly #read: () => Promise<OperationView | null>
  #waiting: OperationView | null
  #seen: OperationView

  constructor(changes: Subscription, present: OperationView, read: () => Promise<OperationView | null>) {
    this.#changes = changes
    this.#seen = present
    this.#waiting = present
    this.#read = read
  }

  async next(): Promise<IteratorResult<OperationView, undefined>> {
    const value = this.#waiting ?? (isFinal(this.#seen.state) ? null : await this.#changed())
    this.#waiting = null
    if (!value) return this.return()
    this.#seen = value
    return { done: false, value }
  }

  return(): Promise<IteratorResult<OperationView, undefined>> {
    this.#changes.close()
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** The next newer state; null when nothing more will come. */
  async #changed(): Promise<OperationView | null> {
    for await (const delivery of this.#deliveries()) {
      if (!delivery.gap && delivery.change.objectId !== this.#seen.id) continue
      const read = await this.#read()
      if (!read || read.version > this.#seen.version) return read
    }
    return null
  }

  /** Without `return`, so that leaving the loop leaves the subscription open. */
  #deliveries() {
    return { [Symbol.asyncIterator]: () => ({ next: () => this.#changes.next() }) }
  }
}
