import { type ChangedObject, type KnownObject } from './watch.ts'
import { type ApiObject } from '../objects.ts'
import { ownerIn } from '../observed-object.ts'

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

/** A list request that runs while events keep arriving. */
interface Comparison {
  /**
   * Applies the list, except for objects that events changed after it began. A complete list in
   * between cancels it.
   */
  settle(listed: readonly KnownObject[]): void
}

/**
 * An index by namespace and name. The objects of one namespace share the strings that they have in
 * common, because each response brings its own copies.
 */
class ObjectIndex {
  readonly #namespaces = new Map<string, Map<string, KnownObject>>()

  at({ namespace, name }: NamespacedName): KnownObject | undefined {
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

  delete({ namespace, name }: NamespacedName): void {
    const key = namespace ?? ''
    const objects = this.#namespaces.get(key)
    objects?.delete(name)
    if (objects?.size === 0) this.#namespaces.delete(key)
  }
}

type NamespacedName = Pick<KnownObject, 'namespace' | 'name'>

/**
 * Tracks the identity and version of each object as last observed, without contents. Ten thousand
 * objects take a few megabytes.
 */
export class KnownObjects {
  readonly #known = new ObjectIndex()
  /** The objects that events changed since a comparison began. */
  #touched: Set<string> | null = null
  readonly #changed: (object: KnownObject) => void
  readonly #gone: (key: ChangedObject) => void

  constructor(on: { changed: (object: KnownObject) => void; gone: (key: ChangedObject) => void }) {
    this.#changed = on.changed
    this.#gone = on.gone
  }

  at(name: NamespacedName): KnownObject | null {
    return this.#known.at(name) ?? null
  }

  /** Returns the objects that Berth owns, or all other ones. */
  *ownedBy(owner: 'berth' | 'others'): Iterable<KnownObject> {
    for (const object of this.#known.all())
      if (isOwned(object) === (owner === 'berth')) yield object
  }

  all(): Iterable<KnownObject> {
    return this.#known.all()
  }

  put(identity: KnownObject): void {
    this.#touched?.add(nameKeyOf(identity))
    const before = this.#known.at(identity)
    this.#known.put(identity)
    // The deletion event was missed, and this is another object; or the object has another owner.
    if (before && (before.uid !== identity.uid || before.rowId !== identity.rowId))
      this.#gone(keyOf(before))
    if (before?.uid !== identity.uid || before.version !== identity.version) this.#changed(identity)
  }

  remove(identity: KnownObject): void {
    this.#touched?.add(nameKeyOf(identity))
    const before = this.#known.at(identity)
    const wasKnown = before?.uid === identity.uid
    if (wasKnown) this.#known.delete(identity)
    // An object that lost the label leaves the watch without its owner labels, so the known owner
    // is reported.
    this.#gone(keyOf(wasKnown ? before : identity))
  }

  /** Replaces all objects by a complete list. Objects that are not listed are gone. */
  replaceAll(listed: readonly KnownObject[]): void {
    this.#touched = null
    this.#take(listed, new Set())
  }

  startComparison(): Comparison {
    const touched = (this.#touched = new Set<string>())
    return {
      settle: (listed) => {
        if (this.#touched !== touched) return
        this.#touched = null
        this.#take(listed, touched)
      },
    }
  }

  /** Applies a list, except for objects with newer information. */
  #take(listed: readonly KnownObject[], except: ReadonlySet<string>): void {
    const listedNames = new Set(listed.map(nameKeyOf))
    const isMissing = (name: string): boolean => !listedNames.has(name) && !except.has(name)
    const missing = [...this.#known.all()].filter((identity) => isMissing(nameKeyOf(identity)))
    for (const identity of missing) this.#known.delete(identity)
    for (const identity of listed) if (!except.has(nameKeyOf(identity))) this.put(identity)
    for (const identity of missing) this.#gone(keyOf(identity))
  }
}

/** True for an object with the labels of a row of Berth. */
export const isOwned = ({ rowId }: Pick<KnownObject, 'rowId'>): boolean => rowId !== null

/** Leaves out what only tells about one version. */
export const keyOf = ({
  version: _version,
  generation: _generation,
  ...key
}: KnownObject): ChangedObject => key

const nameKeyOf = ({ namespace, name }: NamespacedName): string => `${namespace ?? ''}/${name}`
