import { type ChangedObject, type KnownObject } from '../reader/watcher.ts'
import { type ApiObject } from './objects.ts'
import { ownerIn } from './seen-object.ts'

export const identityOf = ({ metadata: { name, namespace, uid, resourceVersion, generation, labels } }: ApiObject): KnownObject => ({
  namespace: namespace ?? null,
  name,
  uid,
  ...ownerIn(labels),
  version: resourceVersion,
  generation: generation ?? null,
})

/** A list that is on its way while events keep coming. */
interface Comparison {
  /** Corrects what the list knows better, unless a whole new list came first. */
  settle(listed: readonly KnownObject[]): void
}

/** KnownObject and version of what was last seen, nothing of the contents: ten thousand objects are a few megabytes. */
export class KnownObjects {
  #known = new Map<string, KnownObject>()
  /** What events touched since a comparison began. */
  #noted: Set<string> | null = null
  readonly #changed: (key: ChangedObject) => void

  constructor(changed: (key: ChangedObject) => void) {
    this.#changed = changed
  }

  at(place: { namespace: string | null; name: string }): KnownObject | null {
    return this.#known.get(placeOf(place)) ?? null
  }

  all(): Iterable<KnownObject> {
    return this.#known.values()
  }

  put(identity: KnownObject): void {
    const place = placeOf(identity)
    this.#noted?.add(place)
    const before = this.#known.get(place)
    this.#known.set(place, identity)
    // The deletion in between was missed: the old object is gone, and this is another one.
    if (before && before.uid !== identity.uid) this.#changed(keyOf(before))
    if (before?.uid !== identity.uid || before.version !== identity.version) this.#changed(keyOf(identity))
  }

  remove(identity: KnownObject): void {
    const place = placeOf(identity)
    this.#noted?.add(place)
    const before = this.#known.get(place)
    const wasKnown = before?.uid === identity.uid
    if (wasKnown) this.#known.delete(place)
    // An object that lost our label goes from our sight without the label that says whose it was.
    this.#changed(keyOf(wasKnown ? before : identity))
  }

  /** What a complete list says, and by that what is no longer there. */
  replaceAll(listed: readonly KnownObject[]): void {
    this.#noted = null
    this.#take(listed, new Set())
  }

  startComparison(): Comparison {
    const noted = (this.#noted = new Set<string>())
    return {
      settle: (listed) => {
        if (this.#noted !== noted) return
        this.#noted = null
        this.#take(listed, noted)
      },
    }
  }

  /** Except for the places of which something newer is known. */
  #take(listed: readonly KnownObject[], except: ReadonlySet<string>): void {
    const places = new Set(listed.map(placeOf))
    const gone = [...this.#known].filter(([place]) => !places.has(place) && !except.has(place))
    for (const [place] of gone) this.#known.delete(place)
    for (const identity of listed) if (!except.has(placeOf(identity))) this.put(identity)
    for (const [, identity] of gone) this.#changed(keyOf(identity))
  }
}

const keyOf = ({ version: _version, generation: _generation, ...key }: KnownObject): ChangedObject => key

const placeOf = ({ namespace, name }: Pick<KnownObject, 'namespace' | 'name'>): string => `${namespace ?? ''}/${name}`
