import { type ApiObject } from './objects.ts'

/** Which object changed. The uid tells a new object from an old one of the same name. */
export interface ObjectKey {
  namespace: string | null
  name: string
  uid: string
}

interface Known {
  key: ObjectKey
  version: string
}

/** Identity and version of what was last seen, nothing of the contents: ten thousand objects are a few megabytes. */
export class KnownObjects {
  #known = new Map<string, Known>()
  readonly #changed: (key: ObjectKey) => void

  constructor(changed: (key: ObjectKey) => void) {
    this.#changed = changed
  }

  put({ metadata }: ApiObject): void {
    const place = placeOf(metadata)
    const before = this.#known.get(place)
    const key = { namespace: metadata.namespace ?? null, name: metadata.name, uid: metadata.uid }
    this.#known.set(place, { key, version: metadata.resourceVersion })
    // The deletion in between was missed: the old object is gone, and this is another one.
    if (before && before.key.uid !== key.uid) this.#changed(before.key)
    if (before?.key.uid !== key.uid || before.version !== metadata.resourceVersion) this.#changed(key)
  }

  remove({ metadata }: ApiObject): void {
    const place = placeOf(metadata)
    const before = this.#known.get(place)
    if (before?.key.uid === metadata.uid) this.#known.delete(place)
    this.#changed({ namespace: metadata.namespace ?? null, name: metadata.name, uid: metadata.uid })
  }

  /** What a complete list says, and by that what is no longer there. */
  replaceAll(objects: readonly ApiObject[]): void {
    const listed = new Set(objects.map(({ metadata }) => placeOf(metadata)))
    const gone = [...this.#known].filter(([place]) => !listed.has(place))
    for (const [place] of gone) this.#known.delete(place)
    for (const object of objects) this.put(object)
    for (const [, { key }] of gone) this.#changed(key)
  }
}

const placeOf = ({ namespace, name }: ApiObject['metadata']): string => `${namespace ?? ''}/${name}`
