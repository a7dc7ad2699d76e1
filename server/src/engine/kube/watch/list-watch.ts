import { backoffMs } from '../../../runtime/backoff.ts'
import { type Clock } from '../../../runtime/clock.ts'
import { type Log } from '../../../runtime/log.ts'
import { labels } from '../refs.ts'
import { type ChangedObject, type KnownObject, type Watch } from './watch.ts'
import { ClusterError } from '../cluster-error.ts'
import { type ApiKind } from '../api-call.ts'
import { identityOf, KnownObjects } from './known-objects.ts'
import { type ApiObject, listIn } from '../objects.ts'
import { type Sightings } from './watch-cache.ts'
import { type Transport } from '../transport.ts'
import { type WatchLine, watchLines } from './watch-lines.ts'

/*
 * Follows all our objects of one kind and calls `changed` with keys, never with contents: what to
 * do is decided by whoever reads the object live. It never gives up. A stream that ends is opened
 * again from the last version; whatever may have lost an event (410, a line that cannot be read, an
 * error event, five failures in a row) leads to a new list. That an object is gone is only
 * concluded from its own event or from a complete list. What a stream lost without a sign is found
 * by a list that is compared once a minute. The guarantee is "every lasting change is reported at
 * least once, soon"; the order between objects and the states between two looks are not.
 */
export interface ListWatchOptions {
  of: ApiKind
  transport: Transport
  clock: Clock
  log: Log
  changed: (object: ChangedObject) => void
  /**
   * Not every cluster has the kind, or lets us see it: then nothing is known of it, and it is asked
   * for again at times.
   */
  isOptional?: boolean
  absentMs?: number
  /**
   * Who remembers the contents of events of some kinds; of the others the stream tells identities
   * alone.
   */
  sightings?: Sightings
  /** Without a byte for this long the connection counts as dead. */
  inactivityMs?: number
  pageSize?: number
  /** At most this long until what a stream lost without a sign is found. */
  compareMs?: number
}

const staleAfterMs = 60_000
/** The limit of one connection a second, whatever happens. */
const spacingMs = 1000
const failureLimits = { firstMs: 500, capMs: 30_000 }
const failuresBeforeNewList = 5
/** A stream that stood for this long worked. */
const servedMs = 10_000

export function startListWatch(options: ListWatchOptions): Watch {
  const follower = new Follower(options)
  const running = follower.run()
  return {
    lastEventAt: () => follower.lastEventAt,
    isSynced: () => follower.synced,
    isStale: () =>
      follower.lastEventAt === null ||
      options.clock.now().getTime() - follower.lastEventAt.getTime() > staleAfterMs,
    at: (place) => (follower.synced ? follower.known.at(place) : null),
    all: () => follower.known.all(),
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
  readonly known: KnownObjects
  /** Where the next stream goes on; null asks for a new list. */
  #version: string | null = null
  #failures = 0
  #isAbsent = false

  constructor(options: ListWatchOptions) {
    this.#options = options
    this.known = new KnownObjects((key) => this.#report(key))
  }

  async run(): Promise<void> {
    const { clock, absentMs = 60_000 } = this.#options
    const comparing = this.#compareForever()
    while (!this.stopping.signal.aborted) {
      const startedMs = clock.elapsedMs()
      await this.#once()
      const pauseMs = this.#isAbsent
        ? absentMs
        : this.#failures === 0
          ? 0
          : backoffMs(this.#failures, failureLimits)
      await clock.sleep(
        Math.max(pauseMs, spacingMs - (clock.elapsedMs() - startedMs)) + Math.random() * 100,
        this.stopping.signal,
      )
    }
    await comparing
  }

  async #compareForever(): Promise<void> {
    const { clock, log, compareMs = 50_000 } = this.#options
    while (!this.stopping.signal.aborted) {
      // Spread, or all kinds would ask for their lists at once.
      await clock.sleep(compareMs * (0.75 + Math.random() / 4), this.stopping.signal)
      this.#options.sightings?.forget()
      if (this.synced)
        await this.#compare().catch((error: unknown) =>
          log.info('the list could not be compared', { error }),
        )
    }
  }

  /** The stream goes on meanwhile; what it says is newer than the list and wins. */
  async #compare(): Promise<void> {
    const comparison = this.known.startComparison()
    comparison.settle((await this.#listAll()).items)
  }

  async #once(): Promise<void> {
    try {
      this.#isAbsent = false
      this.#version ??= await this.#list()
      await this.#follow(this.#version)
    } catch (error) {
      if (this.stopping.signal.aborted || this.#tellsAbsence(error)) return
      // What fails before a stream stands, and what a stream complains of, is a ClusterError. A
      // stream that was let in and then cut off says nothing about the cluster's health, and
      // whoever waits for its events waits for us.
      this.#failures = error instanceof ClusterError ? this.#failures + 1 : 1
      const isExpired = error instanceof ClusterError && error.trouble === 'expired'
      if (isExpired || this.#failures % failuresBeforeNewList === 0) this.#version = null
      this.#options.log.warn('watch failed; trying again', {
        error,
        failures: this.#failures,
        listAgain: this.#version === null,
      })
    }
  }

  /** A kind that went with its component is as unknown as one that never was. */
  #tellsAbsence(error: unknown): boolean {
    this.#isAbsent =
      this.#options.isOptional === true &&
      error instanceof ClusterError &&
      ['not_served', 'not_permitted'].includes(error.trouble)
    if (this.#isAbsent) {
      this.synced = false
      this.#version = null
      this.#options.log.debug('not in this cluster, or not for us to see', { error })
    }
    return this.#isAbsent
  }

  async #list(): Promise<string> {
    const { items, version } = await this.#listAll()
    this.known.replaceAll(items)
    this.synced = true
    return version
  }

  /** All pages of one consistent list. A page that expired starts over; half a list is no list. */
  async #listAll(): Promise<{ items: KnownObject[]; version: string }> {
    const { transport, of, pageSize = 5_000 } = this.#options
    const items: KnownObject[] = []
    let after: string | null = null
    let version = ''
    do {
      const query: Record<string, string> = {
        ...selected,
        limit: String(pageSize),
        ...(after === null ? {} : { continue: after }),
      }
      const list = listIn(
        (await transport.call({ method: 'GET', of, query, only: 'metadata' }, this.stopping.signal))
          .body,
      )
      if (list.version === '')
        throw new ClusterError('the list has no version', {
          trouble: 'unreachable',
          call: `list ${of.kind}`,
          status: 200,
        })
      // Names and versions only: ten thousand objects as a whole would be half a gigabyte until the
      // last page is there.
      items.push(...list.items.map(identityOf))
      after = list.after
      version = list.version
      this.#heard()
    } while (after !== null)
    return { items, version }
  }

  async #follow(version: string): Promise<void> {
    const { transport, of, clock, sightings, inactivityMs = 30_000 } = this.#options
    const query = {
      ...selected,
      watch: '1',
      allowWatchBookmarks: 'true',
      resourceVersion: version,
      timeoutSeconds: String(300 + Math.floor(Math.random() * 60)),
    }
    const lines = watchLines({
      transport,
      call: { method: 'GET', of, query, ...(sightings?.wants(of) ? {} : { only: 'metadata' }) },
      clock,
      inactivityMs,
      signal: this.stopping.signal,
    })
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
    // Closed politely, but at once and without a word: that is no service either, and must not be
    // asked for once a second for ever.
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
    if (line.type !== 'BOOKMARK') this.#learn(line.type === 'DELETED', line.object)
  }

  #learn(isGone: boolean, object: ApiObject): void {
    const { sightings, of } = this.#options
    if (isGone) {
      sightings?.remove(of, object)
      this.known.remove(identityOf(object))
    } else {
      sightings?.put(of, object)
      this.known.put(identityOf(object))
    }
  }

  #heard(): void {
    this.lastEventAt = this.#options.clock.now()
  }

  #report(key: ChangedObject): void {
    try {
      this.#options.changed(key)
    } catch (error) {
      this.#options.log.error('a watch handler failed', { error, key })
    }
  }
}

const selected = { labelSelector: `${labels.managedBy}=berth` }
