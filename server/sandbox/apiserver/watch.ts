import { clock } from '../clock.ts'
import { type KubeObject } from '../objects/types.ts'
import { type Resource, apiVersionOf } from '../objects/resource.ts'
import { type Call } from './request.ts'
import { type StoreEvent } from './storage/history.ts'
import { type ApiError, refuse } from '../objects/status.ts'
import { toRequestedVersion } from './aliases.ts'
import { eventShape } from './shape.ts'
import { versionError, watchOptions } from './requests/list-options.ts'
import { type Predicate, selectorOf } from './requests/selectors.ts'

const bookmarkEveryMs = 60_000
const batchMs = 2
/** A slow client is disconnected before its backlog exhausts the memory of the server. */
const backlogLimitBytes = 32 * 1024 * 1024

/**
 * Streams events until the timeout, or until the client or the server closes. Replay and
 * subscription run without an await between them, so that no event is missed.
 */
export function watchObjects(call: Call): void {
  const { query, store, resource, namespace } = call
  const selects = selectorOf(resource, query)
  const { version, initialEvents } = watchOptions(query)
  if (version !== '' && !/^\d+$/.test(version)) throw refuse.internal(versionError(version))
  const stream = new WatchStream(call, selects)
  const from = Number(version)
  const refusal = versionRefusal(call, from, initialEvents)
  if (refusal) return stream.fail(refusal)
  if (from > 0 && initialEvents === null)
    for (const event of store.eventsAfter(resource, from)) stream.event(event)
  else if (initialEvents !== false)
    stream.initialList(store.list(resource, namespace), initialEvents === true)
  stream.follow(from)
}

/** A watch without initial events waits for a version in the future. */
function versionRefusal(
  { store, resource }: Call,
  from: number,
  initialEvents: boolean | null,
): ApiError | null {
  if (initialEvents === true && from > store.version)
    return refuse.futureVersion(String(from), store.version)
  const oldest = store.oldestVersion(resource)
  return from > 0 && initialEvents === null && from < oldest
    ? refuse.expired(`too old resource version: ${from} (${oldest})`)
    : null
}

class WatchStream {
  readonly #call: Call
  readonly #selects: Predicate
  readonly #prefix: string
  readonly #bookmarks: boolean
  readonly #shape: (object: KubeObject) => string
  readonly #stops: (() => void)[] = []
  #isCorked = false

  constructor(call: Call, selects: Predicate | null) {
    this.#call = call
    this.#selects = selects ?? (() => true)
    this.#prefix = call.namespace === undefined ? '' : `${call.namespace}/`
    this.#bookmarks = ['1', 'true'].includes(call.query.get('allowWatchBookmarks') ?? '')
    this.#shape = eventShape(call)
    call.response.writeHead(200, {
      'content-type': 'application/json',
      'cache-control': 'no-cache, private',
    })
    call.response.flushHeaders()
  }

  /** Sends the current objects, and a bookmark after them when the client asked for it. */
  initialList(objects: readonly KubeObject[], isMarked: boolean): void {
    for (const object of objects) if (this.#selects(object)) this.#write('ADDED', object)
    if (isMarked) this.bookmark({ 'k8s.io/initial-events-end': 'true' })
  }

  /**
   * Maps the event to this watch: an object that leaves the selection is DELETED, one that enters
   * it is ADDED.
   */
  event(event: StoreEvent): void {
    if (!event.key.startsWith(this.#prefix)) return
    const before = event.previous !== null && this.#selects(event.previous)
    const after = event.type !== 'DELETED' && this.#selects(event.object)
    if (after) return this.#write(before ? 'MODIFIED' : 'ADDED', event.object)
    if (before) this.#write('DELETED', event.type === 'DELETED' ? event.object : lastState(event))
  }

  bookmark(annotations?: Record<string, string>): void {
    if (this.#bookmarks)
      this.#write(
        'BOOKMARK',
        toRequestedVersion(
          this.#call,
          bookmarkOf(this.#call.resource, this.#call.store.version, annotations),
        ),
      )
  }

  fail(error: ApiError): void {
    this.#line('ERROR', JSON.stringify(error.body()))
    this.#call.response.end()
  }

  /** Sends the changes after this version, which may be in the future. */
  follow(from: number): void {
    const { store, resource, response } = this.#call
    this.#stops.push(
      store.subscribe(resource, (event) => {
        if (event.version > from) this.event(event)
      }),
    )
    this.#stops.push(clock.after(watchTimeMs(this.#call.query), () => this.#end()))
    this.#scheduleBookmark()
    response.once('close', () => this.#stop())
  }

  #scheduleBookmark(): void {
    this.#stops.push(
      clock.after(bookmarkEveryMs, () => {
        this.bookmark()
        this.#scheduleBookmark()
      }),
    )
  }

  #end(): void {
    this.bookmark()
    this.#call.response.end()
    this.#stop()
  }

  #stop(): void {
    for (const stop of this.#stops.splice(0)) stop()
  }

  #write(type: string, object: KubeObject): void {
    this.#line(type, this.#shape(object))
  }

  /**
   * Batches events that happen within a few milliseconds. A packet costs both sides more than the
   * lines in it.
   */
  #batch(): void {
    if (this.#isCorked) return
    this.#isCorked = true
    const { response } = this.#call
    response.cork()
    clock.after(batchMs, () => {
      this.#isCorked = false
      response.uncork()
    })
  }

  #line(type: string, object: string): void {
    const { response } = this.#call
    this.#batch()
    response.write(`{"type":"${type}","object":${object}}\n`)
    if (response.writableLength > backlogLimitBytes) response.destroy()
  }
}

const lastState = (event: StoreEvent): KubeObject => {
  // Callers pass only events with a previous state.
  const previous = event.previous as KubeObject
  return { ...previous, metadata: { ...previous.metadata, resourceVersion: String(event.version) } }
}

const bookmarkOf = (
  resource: Resource,
  version: number,
  annotations?: Record<string, string>,
): KubeObject => {
  const metadata = { resourceVersion: String(version), ...(annotations ? { annotations } : {}) }
  // A bookmark contains only the resourceVersion.
  return { kind: resource.kind, apiVersion: apiVersionOf(resource), metadata } as KubeObject
}

function watchTimeMs(query: URLSearchParams): number {
  const seconds = Number(query.get('timeoutSeconds'))
  return seconds > 0 ? seconds * 1000 : (30 + Math.random() * 30) * 60_000
}
