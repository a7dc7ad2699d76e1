import { backoffMs } from '../../runtime/backoff.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { labels } from '../refs.ts'
import { ClusterError } from '../reader.ts'
import { type ApiKind } from './api-call.ts'
import { KnownObjects, type ObjectKey } from './known-objects.ts'
import { type ApiObject, listIn } from './objects.ts'
import { type Transport } from './transport.ts'
import { type WatchLine, watchLines } from './watch-lines.ts'

/*
 * Follows all our objects of one kind and calls `changed` with keys, never with contents: what to do is decided by whoever reads the object live.
 * It never gives up. A stream that ends is opened again from the last version; whatever may have lost an event (410, a line that cannot be read,
 * an error event, five failures in a row) leads to a new list. That an object is gone is only concluded from its own event or from a complete list.
 * The guarantee is "every lasting change is reported at least once, soon"; the order between objects and the states between two looks are not.
 */
export interface ListWatchOptions {
  of: ApiKind
  transport: Transport
  clock: Clock
  log: Log
  changed: (key: ObjectKey) => void
  /** Without a byte for this long the connection counts as dead. */
  inactivityMs?: number
  pageSize?: number
}

export interface ListWatch {
  /** When the cluster last answered; null before the first answer. */
  lastEventAt(): Date | null
  /** Whether a complete list was ever seen. Before that nothing is known to be absent. */
  isSynced(): boolean
  /** No answer for so long that what we know may be old. */
  isStale(): boolean
  stop(): Promise<void>
}

const staleAfterMs = 60_000
/** The limit of one connection a second, whatever happens. */
const spacingMs = 1000
const failureLimits = { firstMs: 500, capMs: 30_000 }
const failuresBeforeNewList = 5
/** A stream that stood for this long worked. */
const servedMs = 10_000

export function startListWatch(options: ListWatchOptions): ListWatch {
  const follower = new Follower(options)
  const running = follower.run()
  return {
    lastEventAt: () => follower.lastEventAt,
    isSynced: () => follower.synced,
    isStale: () => follower.lastEventAt === null || options.clock.now().getTime() - follower.lastEventAt.getTime() > staleAfterMs,
    async stop() {
      follower.stopping.abort()
      await running
    },
  }
}

class Follower {
  readonly stopping = new AbortController()
  lastEventAt: Date | null = null
  synced = false
  readonly #options: ListWatchOptions
  readonly #known: KnownObjects
  /** Where the next stream goes on; null asks for a new list. */
  #version: string | null = null
  #failures = 0

  constructor(options: ListWatchOptions) {
    this.#options = options
    this.#known = new KnownObjects((key) => this.#report(key))
  }

  async run(): Promise<void> {
    const { clock } = this.#options
    while (!this.stopping.signal.aborted) {
      const startedMs = clock.elapsedMs()
      await this.#once()
      const pauseMs = this.#failures === 0 ? 0 : backoffMs(this.#failures, failureLimits)
      await clock.sleep(Math.max(pauseMs, spacingMs - (clock.elapsedMs() - startedMs)) + Math.random() * 100, this.stopping.signal)
    }
  }

  async #once(): Promise<void> {
    try {
      this.#version ??= await this.#list()
      await this.#follow(this.#version)
    } catch (error) {
      if (this.stopping.signal.aborted) return
      this.#failures += 1
      const isExpired = error instanceof ClusterError && error.trouble === 'expired'
      if (isExpired || this.#failures % failuresBeforeNewList === 0) this.#version = null
      this.#options.log.warn('watch failed; trying again', { error, failures: this.#failures, listAgain: this.#version === null })
    }
  }

  /** All pages of one consistent list. A page that expired starts over; half a list is no list. */
  async #list(): Promise<string> {
    const { transport, of, pageSize = 500 } = this.#options
    const seen: ApiObject[] = []
    let after: string | null = null
    let version = ''
    do {
      const query: Record<string, string> = { ...selected, limit: String(pageSize), ...(after === null ? {} : { continue: after }) }
      const list = listIn((await transport.call({ method: 'GET', of, query }, this.stopping.signal)).body)
      if (list.version === '')
        throw new ClusterError('the list has no version', { trouble: 'unreachable', call: `list ${of.kind}`, status: 200 })
      seen.push(...list.items)
      after = list.after
      version = list.version
      this.#heard()
    } while (after !== null)
    this.#known.replaceAll(seen)
    this.synced = true
    return version
  }

  async #follow(version: string): Promise<void> {
    const { transport, of, clock, inactivityMs = 30_000 } = this.#options
    const query = {
      ...selected,
      watch: '1',
      allowWatchBookmarks: 'true',
      resourceVersion: version,
      timeoutSeconds: String(300 + Math.floor(Math.random() * 60)),
    }
    const lines = watchLines({ transport, call: { method: 'GET', of, query }, clock, inactivityMs, signal: this.stopping.signal })
    const openedMs = clock.elapsedMs()
    let events = 0
    try {
      for await (const line of lines) {
        this.#heard()
        if (line === 'opened') continue
        events += 1
        this.#take(line)
      }
    } finally {
      if (clock.elapsedMs() - openedMs >= servedMs) this.#failures = 0
    }
    // Closed politely, but at once and without a word: that is no service either, and must not be asked for once a second for ever.
    if (events === 0 && clock.elapsedMs() - openedMs < servedMs) this.#failures += 1
  }

  #take(line: WatchLine): void {
    if (line.type === 'ERROR') throw line.problem
    if (line.object === null) {
      this.#options.log.warn('an event without an object was skipped', { type: line.type })
      return
    }
    this.#version = line.object.metadata.resourceVersion
    // A word from the cluster is progress: the next failure is the first one again.
    this.#failures = 0
    if (line.type === 'DELETED') this.#known.remove(line.object)
    else if (line.type !== 'BOOKMARK') this.#known.put(line.object)
  }

  #heard(): void {
    this.lastEventAt = this.#options.clock.now()
  }

  #report(key: ObjectKey): void {
    try {
      this.#options.changed(key)
    } catch (error) {
      this.#options.log.error('a watch handler failed', { error, key })
    }
  }
}

const selected = { labelSelector: `${labels.managedBy}=berth` }
