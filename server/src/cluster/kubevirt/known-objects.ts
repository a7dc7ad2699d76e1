import { type ApiObject } from './objects.ts'

/** Which object changed. The uid tells a new object from an old one of the same name. */
export interface ObjectKey {
  namespace: string | null
  name: string
  uid: string
}

/** As much of an object as is kept of it. */
export type Identity = Pick<ApiObject['metadata'], 'name' | 'uid' | 'resourceVersion'> & { namespace: string | null }

export const identityOf = ({ metadata: { name, namespace, uid, resourceVersion } }: ApiObject): Identity => ({
  name,
  uid,
  resourceVersion,
  namespace: namespace ?? null,
})

/** A list that is on its way while events keep coming. */
interface Comparison {
  /** Corrects what the list knows better, unless a whole new list came first. */
  settle(listed: readonly Identity[]): void
}

interface Known {
  key: ObjectKey
  version: string
}

/** Identity and version of what was last seen, nothing of the contents: ten thousand objects are a few megabytes. */
export class KnownObjects {
  #known = new Map<string, Known>()
  /** What events touched since a comparison began. */
  #noted: Set<string> | null = null
  readonly #changed: (key: ObjectKey) => void

  constructor(changed: (key: ObjectKey) => void) {
    this.#changed = changed
  }

  put(identity: Identity): void {
    const place = placeOf(identity)
    this.#noted?.add(place)
    const before = this.#known.get(place)
    const { resourceVersion: version, namespace, name, uid } = identity
    const key = { namespace, name, uid }
    this.#known.set(place, { key, version })
    // The deletion in between was missed: the old object is gone, and this is another one.
    if (before && before.key.uid !== uid) this.#changed(before.key)
    if (before?.key.uid !== uid || before.version !== version) this.#changed(key)
  }

  remove(identity: Identity): void {
    const place = placeOf(identity)
    this.#noted?.add(place)
    const { namespace, name, uid } = identity
    if (this.#known.get(place)?.key.uid === uid) this.#known.delete(place)
    this.#changed({ namespace, name, uid })
  }

  /** What a complete list says, and by that what is no longer there. */
  replaceAll(listed: readonly Identity[]): void {
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
  #take(listed: readonly Identity[], except: ReadonlySet<string>): void {
    const places = new Set(listed.map(placeOf))
    const gone = [...this.#known].filter(([place]) => !places.has(place) && !except.has(place))
    for (const [place] of gone) this.#known.delete(place)
    for (const identity of listed) if (!except.has(placeOf(identity))) this.put(identity)
    for (const [, { key }] of gone) this.#changed(key)
  }
}

const placeOf = ({ namespace, name }: Identity): string => `${namespace ?? ''}/${name}`
