import { type Clock } from '../../../runtime/clock.ts'
import { isOlderVersion } from './versions.ts'
import { type ApiKind } from '../api-call.ts'
import { type ApiObject } from '../objects.ts'

interface ObjectReference {
  namespace: string
  name: string
}

interface CacheEntry {
  object: ApiObject
  observedAtMs: number
}

/**
 * How long a cached object is valid. One change arrives as several events of several objects within
 * a moment.
 */
const maxAgeMs = 60_000
/**
 * Some tens of megabytes. Beyond this the oldest entries are evicted, and the next read goes to the
 * API server.
 */
const maxEntries = 4_000

/**
 * Whole objects as the watch streams and Berth's own writes last showed them. A miss costs one API
 * call and nothing else.
 */
export class WatchCache {
  readonly #clock: Pick<Clock, 'elapsedMs'>
  readonly #entries = new Map<string, CacheEntry>()

  readonly #plurals: readonly string[]

  /** Caches whole objects of these kinds. For all other kinds a changed version is enough. */
  constructor(kinds: readonly ApiKind[], clock: Pick<Clock, 'elapsedMs'>) {
    this.#plurals = kinds.map(({ plural }) => plural)
    this.#clock = clock
  }

  /** True when objects of the kind are cached. */
  caches({ plural }: ApiKind): boolean {
    return this.#plurals.includes(plural)
  }

  /** Ignores stale watch events: own writes update the cache before the watch reports them. */
  put({ plural }: ApiKind, object: ApiObject): void {
    if (!this.#plurals.includes(plural)) return
    const key = keyOf(plural, referenceOf(object))
    const cached = this.#entries.get(key)
    if (
      cached &&
      cached.object.metadata.uid === object.metadata.uid &&
      isOlderVersion(object.metadata.resourceVersion, cached.object.metadata.resourceVersion)
    )
      return
    // Re-inserting keeps the map in order of age, so eviction only looks at its head.
    this.#entries.delete(key)
    this.#entries.set(key, { object, observedAtMs: this.#clock.elapsedMs() })
    this.evictExpired()
  }

  remove({ plural }: ApiKind, object: ApiObject): void {
    const key = keyOf(plural, referenceOf(object))
    if (this.#entries.get(key)?.object.metadata.uid === object.metadata.uid)
      this.#entries.delete(key)
  }

  /** Returns the cached object. Null means "not cached", not that the object is absent. */
  get({ plural }: ApiKind, reference: ObjectReference): ApiObject | null {
    const entry = this.#entries.get(keyOf(plural, reference))
    return entry && !this.#isExpired(entry) ? entry.object : null
  }

  /** Evicts expired entries. Call it also on a quiet cluster, where no `put` evicts anything. */
  evictExpired(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#entries.size <= maxEntries && !this.#isExpired(entry)) return
      this.#entries.delete(key)
    }
  }

  #isExpired({ observedAtMs }: CacheEntry): boolean {
    return this.#clock.elapsedMs() - observedAtMs > maxAgeMs
  }
}

const keyOf = (plural: string, { namespace, name }: ObjectReference): string =>
  `${plural}/${namespace}/${name}`

const referenceOf = ({ metadata: { namespace = '', name } }: ApiObject): ObjectReference => ({
  namespace,
  name,
})
