import { keyOf, type Store } from '../apiserver/storage/store.ts'
import { type KubeObject } from '../objects/types.ts'

interface Index {
  /** Objects by index value, then by namespace and name. */
  byValue: Map<string, Map<string, KubeObject>>
}

type Lookup = (client: { world: { store: Store } }, value: string) => KubeObject[]

/**
 * Creates an index of the objects of a kind, like the indexers of an informer. Without it each
 * reconcile would read every pod of a large cluster.
 *
 * The index is built on first use and kept per store.
 */
export function indexed(kind: string, valuesOf: (object: KubeObject) => readonly string[]): Lookup {
  const indexes = new WeakMap<Store, Index>()
  return ({ world: { store } }, value) => {
    const index = indexes.get(store) ?? buildIndex(store, kind, valuesOf)
    indexes.set(store, index)
    return [...(index.byValue.get(value)?.values() ?? [])]
  }
}

function buildIndex(
  store: Store,
  kind: string,
  valuesOf: (object: KubeObject) => readonly string[],
): Index {
  const resource = store.registry.named(kind)
  const index: Index = { byValue: new Map() }
  const add = (object: KubeObject): void => {
    for (const value of valuesOf(object)) {
      const found = index.byValue.get(value) ?? new Map<string, KubeObject>()
      index.byValue.set(value, found.set(ownKey(object), object))
    }
  }
  const drop = (object: KubeObject): void => {
    for (const value of valuesOf(object)) {
      const found = index.byValue.get(value)
      found?.delete(ownKey(object))
      if (found?.size === 0) index.byValue.delete(value)
    }
  }
  for (const object of store.list(resource)) add(object)
  store.subscribe(resource, ({ type, object, previous }) => {
    if (previous) drop(previous)
    if (type !== 'DELETED') add(object)
  })
  return index
}

const ownKey = ({ metadata: { namespace, name } }: KubeObject): string => keyOf(namespace, name)
