import { backoffMs } from '../../../runtime/backoff.ts'
import { type Clock } from '../../../runtime/clock.ts'
import { type Log } from '../../../runtime/log.ts'
import { labels } from '../refs.ts'
import { type ChangedObject, type KnownObject, type Watch } from './watch.ts'
import { ClusterError } from '../cluster-error.ts'
import { type ApiKind } from '../api-call.ts'
import { identityOf, isOwned, keyOf, KnownObjects } from './known-objects.ts'
import { type OwnWrites } from './own-writes.ts'
import { type ApiObject, listIn } from '../objects.ts'
import { type WatchCache } from './watch-cache.ts'
import { type Transport } from '../transport.ts'
import { type WatchLine, watchLines } from './watch-lines.ts'

/*
 * Watches all objects of one kind that Berth owns, or all objects of the kind, and calls `changed`
 * with keys, never with contents. Reconcilers read the object themselves before they decide. The
 * watch never gives up. A stream that ends is reopened from the last version. Anything that may
 * have lost an event (410, an unreadable line, an error event, five failures in a row) leads to a
 * new list. An object counts as deleted only after its own event or a complete list. A list that is
 * compared every five minutes finds events that were lost silently.
 *
 * Guarantee: every lasting change is reported at least once, soon, except for the writes of this
 * process, which their reconciler knows. The order between objects and intermediate states are not
 * guaranteed.
 */
export interface ListWatchOptions {
  of: ApiKind
  transport: Transport
  clock: Clock
  log: Log
  changed: (object: ChangedObject) => void
  /** True for a kind that many clusters lack. The watch then looks for it less often. */
  isOptional?: boolean
  /** True to watch the objects of other owners too, without their contents. */
  includesForeign?: boolean
  /** The time until the next look for a kind that the cluster does not serve or hides. */
  absentMs?: number
  /**
   * The cache of whole objects for some kinds. For all other kinds the stream brings metadata only.
   */
  cache?: WatchCache
  /** The writes of this process, whose echoes are not reported. */
  ownWrites?: OwnWrites
  /** A connection without a byte for this long counts as dead. */
  inactivityMs?: number
  pageSize?: number
  /** The longest time until a silently lost event is found. */
  compareMs?: number
}

const staleAfterMs = 60_000
/** At most one connection per second. */
const spacingMs = 1000
/** API servers send a bookmark about once a minute, so a living watch is never quiet for longer. */
const quietMs = 80_000
const failureLimits = { firstMs: 500, capMs: 30_000 }
const failuresBeforeNewList = 5
/** A stream that was open this long counts as working. */
const workingMs = 10_000

export function startListWatch(options: ListWatchOptions): Watch {
  const follower = new Follower(options)
  const running = follower.run()
  return {
    lastEventAt: () => follower.lastEventAt,
    isSynced: () => follower.synced,
    isStale: () =>
      follower.lastEventAt === null ||
      options.clock.now().getTime() - follower.lastEventAt.getTime() > staleAfterMs,
    at: (reference) => (follower.synced ? follower.ownedAt(reference) : null),
    all: () => (options.includesForeign ? follower.known.ownedBy('berth') : follower.known.all()),
    foreign: () => (options.includesForeign ? follower.known.ownedBy('others') : []),
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
  /** The version from which the next stream continues; null requests a new list. */
  #version: string | null = null
  #failures = 0
  #isAbsent = false

  constructor(options: ListWatchOptions) {
    this.#options = options
    this.known = new KnownObjects({
      changed: (object) => this.#reportForeign(object),
      gone: (key) => this.#report(key),
    })
  }

  /** Returns the object with the name, unless it belongs to another owner. */
  ownedAt(reference: { namespace: string | null; name: string }): KnownObject | null {
    const object = this.known.at(reference)
    return object && this.#isOwned(object) ? object : null
  }

  /** The labels of the objects to list and to watch. */
  get #selector(): Record<string, string> {
    return this.#options.includesForeign ? {} : { labelSelector: `${labels.managedBy}=berth` }
  }

  async run(): Promise<void> {
    const { clock, isOptional } = this.#options
    const { absentMs = isOptional ? 60_000 : 15_000 } = this.#options
    const comparisons = this.#compareForever()
    while (!this.stopping.signal.aborted) {
      const startedMs = clock.elapsedMs()
      await this.#listAndWatch()
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
    await comparisons
  }

  async #compareForever(): Promise<void> {
    const { clock, log, compareMs = 300_000 } = this.#options
    while (!this.stopping.signal.aborted) {
      // The interval is random, so that not all kinds list at the same time.
      await clock.sleep(compareMs * (0.75 + Math.random() / 4), this.stopping.signal)
      if (this.synced)
        await this.#compare().catch((error: unknown) =>
          log.warn('watch.comparison_failed', {
            error,
            effect: 'the watch continues; Berth compares it with a list again within five minutes',
            remedy: 'none, unless it repeats: check the API server and the rights of Berth',
          }),
        )
    }
  }

  /** The stream continues during the list. Its events are newer than the list and win. */
  async #compare(): Promise<void> {
    const comparison = this.known.startComparison()
    comparison.settle((await this.#listAll()).items)
  }

  async #listAndWatch(): Promise<void> {
    try {
      this.#isAbsent = false
      this.#version ??= await this.#list()
      await this.#follow(this.#version)
    } catch (error) {
      if (this.stopping.signal.aborted || this.#isAbsence(error)) return
      // A ClusterError is a failure to open a stream, or an error that the stream reported. A
      // stream that was cut later says nothing about the health of the cluster, so its retry must
      // not be delayed.
      this.#failures = error instanceof ClusterError ? this.#failures + 1 : 1
      const isExpired = error instanceof ClusterError && error.trouble === 'expired'
      if (isExpired || this.#failures % failuresBeforeNewList === 0) this.#version = null
      this.#options.log.warn('watch.failed', {
        error,
        failures: this.#failures,
        listAgain: this.#version === null,
        effect: 'changes of this kind are seen later; Berth watches it again within seconds',
        remedy: 'none, unless failures grows: check the API server and the network to it',
      })
    }
  }

  /**
   * True when the error means an absent kind. A kind that was removed with its component is treated
   * like one that never existed. The capabilities and the check of rights tell the operator.
   */
  #isAbsence(error: unknown): boolean {
    this.#isAbsent =
      error instanceof ClusterError && ['not_served', 'not_permitted'].includes(error.trouble)
    if (this.#isAbsent) {
      this.synced = false
      this.#version = null
      this.#options.log.debug('watch.kind_unavailable', { error })
    }
    return this.#isAbsent
  }

  async #list(): Promise<string> {
    const { items, version } = await this.#listAll()
    this.known.replaceAll(items)
    this.synced = true
    return version
  }

  /**
   * Lists all pages of one consistent list. An expired page restarts the list; an incomplete list
   * is never used.
   */
  async #listAll(): Promise<{ items: KnownObject[]; version: string }> {
    const { transport, of, pageSize = 5_000 } = this.#options
    const items: KnownObject[] = []
    let after: string | null = null
    let version = ''
    do {
      const query: Record<string, string> = {
        ...this.#selector,
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
      // Only identities are retained. Ten thousand whole objects would take half a gigabyte until
      // the last page.
      items.push(...list.items.map(identityOf))
      after = list.after
      version = list.version
      this.#recordActivity()
    } while (after !== null)
    return { items, version }
  }

  async #follow(version: string): Promise<void> {
    const { transport, of, clock, cache, inactivityMs = quietMs } = this.#options
    const query = {
      ...this.#selector,
      watch: '1',
      allowWatchBookmarks: 'true',
      resourceVersion: version,
      timeoutSeconds: String(300 + Math.floor(Math.random() * 60)),
    }
    const lines = watchLines({
      transport,
      call: { method: 'GET', of, query, ...(cache?.caches(of) ? {} : { only: 'metadata' }) },
      clock,
      inactivityMs,
      signal: this.stopping.signal,
    })
    const openedMs = clock.elapsedMs()
    let events = 0
    try {
      for await (const line of lines) {
        this.#recordActivity()
        // On a quiet cluster nothing but bookmarks comes, and no `put` evicts anything.
        cache?.evictExpired()
        if (line === 'opened') continue
        events += 1
        this.#handle(line)
      }
    } finally {
      if (clock.elapsedMs() - openedMs >= workingMs) this.#failures = 0
    }
    // A stream that closes at once without an event counts as a failure. Otherwise it would be
    // reopened every second forever.
    if (events === 0 && clock.elapsedMs() - openedMs < workingMs) this.#failures += 1
  }

  #handle(line: WatchLine): void {
    if (line.type === 'ERROR') throw line.problem
    if (line.object === null) {
      this.#options.log.warn('watch.event_without_object', {
        type: line.type,
        effect: 'the event is ignored; the next comparison with a list finds what it told',
        remedy: 'report this line to the developers of Berth',
      })
      return
    }
    this.#version = line.object.metadata.resourceVersion
    // An event is progress: the next failure counts as the first one.
    this.#failures = 0
    if (line.type !== 'BOOKMARK') this.#apply(line.type === 'DELETED', line.object)
  }

  #apply(isGone: boolean, object: ApiObject): void {
    const { cache, of } = this.#options
    const identity = identityOf(object)
    // Nothing reads the contents of foreign objects from the cache.
    if (isGone || !this.#isOwned(identity)) cache?.remove(of, object)
    else cache?.put(of, object)
    if (isGone) this.known.remove(identity)
    else this.known.put(identity)
  }

  #isOwned(object: KnownObject): boolean {
    return !this.#options.includesForeign || isOwned(object)
  }

  #recordActivity(): void {
    this.lastEventAt = this.#options.clock.now()
  }

  #reportForeign(object: KnownObject): void {
    const { of, ownWrites } = this.#options
    const report = (): void => this.#report(keyOf(object))
    if (ownWrites) ownWrites.reportForeign(of, object, report)
    else report()
  }

  #report(key: ChangedObject): void {
    try {
      this.#options.changed(key)
    } catch (error) {
      this.#options.log.error('watch.handler_failed', {
        error,
        object: key,
        effect: 'the change is not handled before the next full pass',
        remedy: 'report the error to the developers of Berth',
      })
    }
  }
}
