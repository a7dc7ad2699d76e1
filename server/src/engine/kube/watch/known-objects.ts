import { type ChangedObject, type KnownObject } from './watch.ts'
import { type ApiObject } from '../objects.ts'
import { ownerIn } from '../seen-object.ts'

export const identityOf = ({
  metadata: { name, namespace, uid, resourceVersion, generation, labels },
}: ApiObject): KnownObject => ({
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

/**
 * By namespace and name. What the objects of one namespace have in common is one text for all of
 * them: each answer of the cluster brings its own.
 */
class Places {
  readonly #namespaces = new Map<string, Map<string, KnownObject>>()

  at({ namespace, name }: Place): KnownObject | undefined {
    return this.#namespaces.get(namespace ?? '')?.get(name)
  }

  *all(): Iterable<KnownObject> {
    for (const objects of this.#namespaces.values()) yield* objects.values()
  }

  put(identity: KnownObject): void {
    const key = identity.namespace ?? ''
    const objects = this.#namespaces.get(key) ?? new Map<string, KnownObject>()
    this.#namespaces.set(key, objects)
    const [neighbour] = objects.values()
    const isAlike = neighbour !== undefined && neighbour.tenantId === identity.tenantId
    objects.set(
      identity.name,
      isAlike
        ? { ...identity, namespace: neighbour.namespace, tenantId: neighbour.tenantId }
        : identity,
    )
  }

  delete({ namespace, name }: Place): void {
    const key = namespace ?? ''
    const objects = this.#namespaces.get(key)
    objects?.delete(name)
    if (objects?.size === 0) this.#namespaces.delete(key)
  }
}

type Place = Pick<KnownObject, 'namespace' | 'name'>

/**
 * KnownObject and version of what was last seen, nothing of the contents: ten thousand objects are
 * a few megabytes.
 */
export class KnownObjects {
  readonly #known = new Places()
  /** What events touched since a comparison began. */
  #noted: Set<string> | null = null
  readonly #changed: (key: ChangedObject) => void

  constructor(changed: (key: ChangedObject) => void) {
    this.#changed = changed
  }

  at(place: Place): KnownObject | null {
    return this.#known.at(place) ?? null
  }

  all(): Iterable<KnownObject> {
    return this.#known.all()
  }

  put(identity: KnownObject): void {
    this.#noted?.add(placeOf(identity))
    const before = this.#known.at(identity)
    this.#known.put(identity)
    // The deletion in between was missed: the old object is gone, and this is another one.
    if (before && before.uid !== identity.uid) this.#changed(keyOf(before))
    if (before?.uid !== identity.uid || before.version !== identity.version)
      this.#changed(keyOf(identity))
  }

  remove(identity: KnownObject): void {
    this.#noted?.add(placeOf(identity))
    const before = this.#known.at(identity)
    const wasKnown = before?.uid === identity.uid
    if (wasKnown) this.#known.delete(identity)
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
    const isGone = (place: string): boolean => !places.has(place) && !except.has(place)
    const gone = [...this.#known.all()].filter((identity) => isGone(placeOf(identity)))
    for (const identity of gone) this.#known.delete(identity)
    for (const identity of listed) if (!except.has(placeOf(identity))) this.put(identity)
    for (const identity of gone) this.#changed(keyOf(identity))
  }
}

const keyOf = ({
  version: _version,
  generation: _generation,
  ...key
}: KnownObject): ChangedObject => key

const placeOf = ({ namespace, name }: Place): string => `${namespace ?? ''}/${name}`
