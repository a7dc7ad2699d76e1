import { type Clock } from '../../../runtime/clock.ts'
import { isOlderVersion } from './versions.ts'
import { type ApiKind } from '../api-call.ts'
import { type ApiObject } from '../objects.ts'

interface Place {
  namespace: string
  name: string
}

interface Sighting {
  object: ApiObject
  atMs: number
}

/**
 * So long a stream's word is remembered: a change comes in several events of several objects, all
 * within a moment.
 */
const keptMs = 60_000
/**
 * Some tens of megabytes; beyond that the oldest are forgotten, and whoever wants to know asks the
 * cluster.
 */
const mostKept = 4_000

/**
 * Whole objects, as streams and our own writes told of them lately. Forgetting costs a call and
 * nothing else.
 */
export class Sightings {
  readonly #clock: Pick<Clock, 'elapsedMs'>
  readonly #kept = new Map<string, Sighting>()

  readonly #plurals: readonly string[]

  /** Keeps whole objects of these kinds. For all other kinds a changed version is enough. */
  constructor(kinds: readonly ApiKind[], clock: Pick<Clock, 'elapsedMs'>) {
    this.#plurals = kinds.map(({ plural }) => plural)
    this.#clock = clock
  }

  /**
   * What is older than what is remembered came late and is left out: our own writes are answered
   * sooner than streams tell of them.
   */
  wants({ plural }: ApiKind): boolean {
    return this.#plurals.includes(plural)
  }

  put({ plural }: ApiKind, object: ApiObject): void {
    if (!this.#plurals.includes(plural)) return
    const key = keyOf(plural, placeOf(object))
    const before = this.#kept.get(key)
    if (
      before &&
      before.object.metadata.uid === object.metadata.uid &&
      isOlderVersion(object.metadata.resourceVersion, before.object.metadata.resourceVersion)
    )
      return
    // The map's order is that of the last words.
    this.#kept.delete(key)
    this.#kept.set(key, { object, atMs: this.#clock.elapsedMs() })
    this.forget()
  }

  remove({ plural }: ApiKind, object: ApiObject): void {
    const key = keyOf(plural, placeOf(object))
    if (this.#kept.get(key)?.object.metadata.uid === object.metadata.uid) this.#kept.delete(key)
  }

  /** Null when nothing was heard of it lately; whether it is there is another question. */
  find({ plural }: ApiKind, place: Place): ApiObject | null {
    const found = this.#kept.get(keyOf(plural, place))
    return found && !this.#isOld(found) ? found.object : null
  }

  /** For whoever comes by from time to time: where nothing happens nothing else would let go. */
  forget(): void {
    for (const [key, sighting] of this.#kept) {
      if (this.#kept.size <= mostKept && !this.#isOld(sighting)) return
      this.#kept.delete(key)
    }
  }

  #isOld({ atMs }: Sighting): boolean {
    return this.#clock.elapsedMs() - atMs > keptMs
  }
}

const keyOf = (plural: string, { namespace, name }: Place): string =>
  `${plural}/${namespace}/${name}`

const placeOf = ({ metadata: { namespace = '', name } }: ApiObject): Place => ({ namespace, name })
