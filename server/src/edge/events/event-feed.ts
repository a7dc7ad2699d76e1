import { type ExecutionResult, type GraphQLSchema, createSourceEventStream, parse } from 'graphql'
import { type Delivery } from '../../engine/model/change.ts'
import { Fault } from '../../engine/model/fault.ts'
import { compileText } from '../../engine/graphql/execute.ts'
import { type GraphRequest } from '../graphql/context.ts'
import { eventsDocument, eventsOn, gapEvent } from '../rest/event/event.ts'
import { nobodyWith, rightsOf } from '../../engine/auth/rights.ts'
import { Census } from '../../engine/sockets/connection-limiter.ts'
import { socketLimits } from '../../engine/sockets/socket-limits.ts'
import { messageOf } from '../../engine/model/message.ts'

/** One event, ready to be sent, and where the log stands after it. */
interface ToldEvent {
  cursor: string
  /** `{ "type", "payload" }` as JSON. */
  text: string
}

/**
 * What one listener hears. It is not kept anywhere else: who is slow is read to from the log later.
 */
export interface EventSource {
  /** Null when nothing more will come. */
  next(): Promise<ToldEvent | null>
  close(): void
}

export interface EventFeed {
  /**
   * From now on, or from where an earlier listener stopped; refuses who may not or has too many.
   */
  open(request: GraphRequest, after: string | null): Promise<EventSource>
}

const changes = parse(eventsDocument)

/** Enough for the changes of a moment and all who hear of them. */
const mostKept = 500

/**
 * The events of the older interface, over the one log. A change is looked up once for all who may
 * see the same, and written down once: so that a thousand listeners cost one read of the object.
 */
export function eventFeedOn(schema: GraphQLSchema): EventFeed {
  const tell = eventsOn((text) => compileText(schema, text))
  const told = new Map<string, Promise<string | null>>()
  const census = new Census(socketLimits)

  const look = async (
    request: GraphRequest,
    { change }: Extract<Delivery, { gap: false }>,
  ): Promise<string | null> => {
    const viewer = nobodyWith(
      change.tenantId === null
        ? request.viewer
        : { ...request.viewer, tenantId: change.tenantId, tenantNamed: true },
    )
    const event = await tell(change, async (executable, variables) => {
      const { data, errors } = await executable.run({ ...request, viewer }, variables)
      if (errors?.[0]) throw errors[0]
      return data ?? {}
    })
    return event && JSON.stringify(event)
  }

  const textOf = (request: GraphRequest, delivery: Delivery): Promise<string | null> => {
    if (delivery.gap) return Promise.resolve(JSON.stringify(gapEvent))
    const { kind, objectId, version } = delivery.change
    const key = `${kind} ${objectId} ${version} ${rightsOf(request.viewer)}`
    const known = told.get(key)
    if (known) return known
    const looking = look(request, delivery)
    looking.catch(() => told.delete(key))
    const [oldest] = told.keys()
    if (told.size >= mostKept && oldest !== undefined) told.delete(oldest)
    told.set(key, looking)
    return looking
  }

  return {
    async open(request, after) {
      const { viewer } = request
      if (!census.enter(viewer))
        throw new Fault('too_many_requests', messageOf('access.events_too_often'))
      try {
        const source = await sourceOf(schema, request, after)
        return new Listener(source, {
          textOf: (delivery) => textOf(request, delivery),
          onClose: () => census.leave(viewer),
        })
      } catch (error) {
        census.leave(viewer)
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

/** What the schema's field gives out is the log's own. */
function isStream(
  source: AsyncIterable<unknown> | ExecutionResult,
): source is AsyncIterable<Delivery> {
  return Symbol.asyncIterator in source
}

interface Telling {
  textOf: (delivery: Delivery) => Promise<string | null>
  onClose: () => void
}

class Listener implements EventSource {
  readonly #source: AsyncIterator<Delivery>
  readonly #telling: Telling
  #isOver = false

  constructor(source: AsyncIterator<Delivery>, telling: Telling) {
    this.#source = source
    this.#telling = telling
  }

  async next(): Promise<ToldEvent | null> {
    for (
      let next = await this.#source.next();
      !next.done && !this.#isOver;
      next = await this.#source.next()
    ) {
      const delivery = next.value
      const text = await this.#telling.textOf(delivery)
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
    this.#telling.onClose()
  }
}
