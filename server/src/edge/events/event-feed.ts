import { type ExecutionResult, type GraphQLSchema, createSourceEventStream, parse } from 'graphql'
import { type Delivery } from '../../engine/model/change.ts'
import { Fault } from '../../engine/model/fault.ts'
import { compileText } from '../../engine/graphql/execute.ts'
import { type GraphRequest } from '../graphql/context.ts'
import { eventsDocument, eventsOn, gapEvent } from '../rest/event/event.ts'
import { anonymousWithRightsOf, rightsOf } from '../../engine/auth/rights.ts'
import { ConnectionLimiter } from '../../engine/sockets/connection-limiter.ts'
import { socketLimits } from '../../engine/sockets/socket-limits.ts'
import { messageOf } from '../../engine/model/message.ts'

/** One event, ready to be sent, and the position of the log after it. */
interface FeedEvent {
  cursor: string
  /** `{ "type", "payload" }` as JSON. */
  text: string
}

/**
 * The events of one listener. They are not buffered: a slow listener continues from the log later.
 */
export interface EventSource {
  /** Returns null when no more events will come. */
  next(): Promise<FeedEvent | null>
  close(): void
}

export interface EventFeed {
  /**
   * Opens a source that begins now or after the cursor of an earlier listener. Refuses viewers
   * without permission or with too many sources.
   */
  open(request: GraphRequest, after: string | null): Promise<EventSource>
}

const changes = parse(eventsDocument)

/** Enough for the changes of a moment, once per set of permissions. */
const maxCachedEvents = 500

/**
 * The events of the REST interface, read from the change log. Each change is read and serialized
 * once for all viewers with the same permissions. A thousand listeners cost one read of the object.
 */
export function eventFeedOn(schema: GraphQLSchema): EventFeed {
  const eventFrom = eventsOn((text) => compileText(schema, text))
  const cache = new Map<string, Promise<string | null>>()
  const limiter = new ConnectionLimiter(socketLimits)

  const readEvent = async (
    request: GraphRequest,
    { change }: Extract<Delivery, { gap: false }>,
  ): Promise<string | null> => {
    const viewer = anonymousWithRightsOf(
      change.tenantId === null
        ? request.viewer
        : { ...request.viewer, tenantId: change.tenantId, tenantNamed: true },
    )
    const event = await eventFrom(change, async (executable, variables) => {
      const { data, errors } = await executable.run({ ...request, viewer }, variables)
      if (errors?.[0]) throw errors[0]
      return data ?? {}
    })
    return event && JSON.stringify(event)
  }

  const textOf = (request: GraphRequest, delivery: Delivery): Promise<string | null> => {
    if (delivery.gap) return Promise.resolve(JSON.stringify(gapEvent))
    const { kind, objectId, version, isCreation } = delivery.change
    const key = `${kind} ${objectId} ${version} ${isCreation} ${rightsOf(request.viewer)}`
    const cached = cache.get(key)
    if (cached) return cached
    const pending = readEvent(request, delivery)
    pending.catch(() => cache.delete(key))
    const [oldest] = cache.keys()
    if (cache.size >= maxCachedEvents && oldest !== undefined) cache.delete(oldest)
    cache.set(key, pending)
    return pending
  }

  return {
    async open(request, after) {
      const { viewer } = request
      if (!limiter.acquire(viewer))
        throw new Fault('too_many_requests', messageOf('access.events_too_often'))
      try {
        const source = await sourceOf(schema, request, after)
        return new Listener(source, {
          textOf: (delivery) => textOf(request, delivery),
          onClose: () => limiter.release(viewer),
        })
      } catch (error) {
        limiter.release(viewer)
        throw error
      }
    },
  }
}

async function sourceOf(
  schema: GraphQLSchema,
  contextValue: GraphRequest,
  after: string | null,
): Promise<AsyncIterator<Delivery>> {
  const source = await createSourceEventStream({
    schema,
    document: changes,
    contextValue,
    variableValues: { after },
  })
  if (!isStream(source))
    throw (
      ('errors' in source ? source.errors?.[0] : undefined) ??
      new TypeError('the change log opened no stream')
    )
  return source[Symbol.asyncIterator]()
}

/** The field of the schema returns deliveries of the change log. */
function isStream(
  source: AsyncIterable<unknown> | ExecutionResult,
): source is AsyncIterable<Delivery> {
  return Symbol.asyncIterator in source
}

interface ListenerOptions {
  textOf: (delivery: Delivery) => Promise<string | null>
  onClose: () => void
}

class Listener implements EventSource {
  readonly #source: AsyncIterator<Delivery>
  readonly #options: ListenerOptions
  #isOver = false

  constructor(source: AsyncIterator<Delivery>, options: ListenerOptions) {
    this.#source = source
    this.#options = options
  }

  async next(): Promise<FeedEvent | null> {
    for (
      let next = await this.#source.next();
      !next.done && !this.#isOver;
      next = await this.#source.next()
    ) {
      const delivery = next.value
      const text = await this.#options.textOf(delivery)
      if (text !== null)
        return { cursor: delivery.gap ? delivery.cursor : delivery.change.cursor, text }
    }
    this.close()
    return null
  }

  close(): void {
    if (this.#isOver) return
    this.#isOver = true
    void this.#source.return?.()
    this.#options.onClose()
  }
}
