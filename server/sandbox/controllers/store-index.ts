import { keyOf, type Store } from '../apiserver/storage/store.ts'
import { type KubeObject } from '../objects/types.ts'

interface Shelf {
  /** Objects by index value, then by namespace and name. */
  byValue: Map<string, Map<string, KubeObject>>
}

type Lookup = (desk: { world: { store: Store } }, value: string) => KubeObject[]

/**
 * Creates an index of the objects of a kind, like the indexers of an informer. Without it each
 * reconcile would read every pod of a large cluster.
 *
 * The index is built on first use and kept per store.
 */
export function indexed(kind: string, valuesOf: (object: KubeObject) => readonly string[]): Lookup {
  const shelves = new WeakMap<Store, Shelf>()
  return ({ world: { store } }, value) => {
    const shelf = shelves.get(store) ?? shelfOf(store, kind, valuesOf)
    shelves.set(store, shelf)
    return [...(shelf.byValue.get(value)?.values() ?? [])]
  }
}

function shelfOf(
  store: Store,
  kind: string,
  valuesOf: (object: KubeObject) => readonly string[],
): Shelf {
  const resource = store.registry.named(kind)
  const shelf: Shelf = { byValue: new Map() }
  const add = (object: KubeObject): void => {
    for (const value of valuesOf(object)) {
      const found = shelf.byValue.get(value) ?? new Map<string, KubeObject>()
      shelf.byValue.set(value, found.set(ownKey(object), object))
    }
  }
  const drop = (object: KubeObject): void => {
    for (const value of valuesOf(object)) {
      const found = shelf.byValue.get(value)
      found?.delete(ownKey(object))
      if (found?.size === 0) shelf.byValue.delete(value)
    }
  }
  for (const object of store.list(resource)) add(object)
  store.subscribe(resource, ({ type, object, previous }) => {
    if (previous) drop(previous)
    if (type !== 'DELETED') add(object)
  })
  return shelf
}

const ownKey = ({ metadata: { namespace, name } }: KubeObject): string => keyOf(namespace, name)
