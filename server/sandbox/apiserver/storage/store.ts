import { type KubeObject } from '../../objects/types.ts'
import { type Resource, resourceName } from '../../objects/resource.ts'
import { type Registry, registry } from '../../kinds/registry.ts'
import { History, type StoreEvent } from './history.ts'
import { Journal } from './journal.ts'
import { textToWrite } from './render.ts'
import { SortedKeys } from './sorted-keys.ts'

/*
 * One counter numbers every write of every kind. A write is synchronous in memory, so between
 * reading an object and storing its successor nothing can slip in as long as the caller does not
 * await; the promise that a write returns only says when the disk has it.
 */
type Stored = { kind: string; key: string; object: KubeObject | null }
export type Listener = (event: StoreEvent) => void

interface Shelf {
  objects: Map<string, KubeObject>
  keys: SortedKeys
  history: History
  listeners: Set<Listener>
}

export interface StoreOptions {
  folder: string
  /** The kinds of the cluster; without optional components when it is left out. */
  registry?: Registry
  historyLimit?: number
  compactAfterBytes?: number
}

/**
 * Where the counter starts, so that small versions are always "too old" and never by chance valid.
 */
const firstVersion = 1000

export const keyOf = (namespace: string | undefined, name: string): string =>
  `${namespace ?? ''}/${name}`

export class Store {
  readonly registry: Registry
  #version = firstVersion
  readonly #shelves = new Map<string, Shelf>()
  readonly #journal: Journal<Stored>
  #lastWrite: Promise<void> = Promise.resolve()

  constructor(options: StoreOptions) {
    this.registry = options.registry ?? registry
    for (const resource of this.registry.all) {
      this.#shelves.set(resourceName(resource), {
        objects: new Map(),
        keys: new SortedKeys(),
        history: new History(firstVersion, options.historyLimit ?? 5000),
        listeners: new Set(),
      })
    }
    this.#journal = new Journal({
      folder: options.folder,
      compactAfterBytes: options.compactAfterBytes ?? 32 * 1024 * 1024,
      everything: () => this.#everything(),
      textOf,
    })
    this.#load()
  }

  get version(): number {
    return this.#version
  }

  oldestVersion = (resource: Resource): number => this.#shelf(resource).history.oldest

  get(resource: Resource, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#shelf(resource).objects.get(keyOf(namespace, name))
  }

  /** All objects in key order; of one namespace or of all. */
  list(resource: Resource, namespace?: string): KubeObject[] {
    const shelf = this.#shelf(resource)
    return shelf.keys
      .withPrefix(namespace === undefined ? '' : `${namespace}/`)
      .flatMap((key) => shelf.objects.get(key) ?? [])
  }

  /** The same list as it was at an earlier version that the history still covers. */
  listAt(resource: Resource, version: number, namespace?: string): KubeObject[] {
    const undo = this.eventsAfter(resource, version).reverse()
    if (undo.length === 0) return this.list(resource, namespace)
    const past = new Map(this.#shelf(resource).objects)
    for (const event of undo) {
      if (event.previous) past.set(event.key, event.previous)
      else past.delete(event.key)
    }
    const prefix = namespace === undefined ? '' : `${namespace}/`
    const keys = [...past.keys()].filter((key) => key.startsWith(prefix)).sort()
    return keys.flatMap((key) => past.get(key) ?? [])
  }

  eventsAfter = (resource: Resource, version: number): StoreEvent[] =>
    this.#shelf(resource).history.after(version)

  /** Stores the object under the next version and returns it as stored. */
  put(resource: Resource, object: KubeObject): KubeObject {
    const version = ++this.#version
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } }
    this.#commit(resource, {
      version,
      key: keyOf(object.metadata.namespace, object.metadata.name),
      object: stored,
    })
    return stored
  }

  /** Removes the object; watchers get its last state under a newer version. */
  remove(resource: Resource, object: KubeObject): void {
    this.#commit(resource, {
      version: ++this.#version,
      key: keyOf(object.metadata.namespace, object.metadata.name),
      object: null,
    })
  }

  /** Resolves when everything written so far is on disk. */
  durable = (): Promise<void> => this.#lastWrite

  subscribe(resource: Resource, listener: Listener): () => void {
    const { listeners } = this.#shelf(resource)
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  /** Forgets the past, as etcd's compaction does. */
  forget(version = this.#version): void {
    for (const shelf of this.#shelves.values()) shelf.history.forgetUpTo(version)
  }

  async close(): Promise<void> {
    await this.#lastWrite
    await this.#journal.close()
  }

  #commit(
    resource: Resource,
    write: { version: number; key: string; object: KubeObject | null },
  ): void {
    const kind = resourceName(resource)
    this.#lastWrite = this.#journal.append({
      version: write.version,
      entry: { kind, key: write.key, object: write.object },
    })
    // A failed sync rejects for whoever waits; without a waiter it must not end the process.
    this.#lastWrite.catch(() => undefined)
    const event = this.#place(this.#shelf(resource), write)
    for (const listener of [...this.#shelf(resource).listeners]) listener(event)
  }

  #place(
    shelf: Shelf,
    { version, key, object }: { version: number; key: string; object: KubeObject | null },
  ): StoreEvent {
    const previous = shelf.objects.get(key) ?? null
    const event = { version, key, previous, ...describe(version, object, previous) }
    if (object) shelf.objects.set(key, object)
    else shelf.objects.delete(key)
    if (object && !previous) shelf.keys.add(key)
    if (!object) shelf.keys.remove(key)
    shelf.history.add(event)
    return event
  }

  #load(): void {
    for (const { version, entry } of this.#journal.load()) {
      this.#version = Math.max(this.#version, version)
      const shelf = this.#shelves.get(entry.kind)
      // A kind that this build does not serve stays in the journal only until the next compaction.
      if (shelf) this.#place(shelf, { version, key: entry.key, object: entry.object })
    }
    // A snapshot's entries are not in the order of their versions, so they are a state and not a
    // past.
    this.forget()
  }

  *#everything(): Generator<{ version: number; entry: Stored }> {
    for (const [kind, shelf] of this.#shelves) {
      for (const [key, object] of shelf.objects)
        yield { version: Number(object.metadata.resourceVersion), entry: { kind, key, object } }
    }
    // The counter itself may be ahead of every living object.
    yield { version: this.#version, entry: { kind: '', key: '', object: null } }
  }

  #shelf(resource: Resource): Shelf {
    const shelf = this.#shelves.get(resourceName(resource))
    if (!shelf) throw new TypeError(`not a registered resource: ${resourceName(resource)}`)
    return shelf
  }
}

const textOf = ({ kind, key, object }: Stored): string =>
  `{"kind":"${kind}","key":${JSON.stringify(key)},"object":${object ? textToWrite(object) : 'null'}}`

function describe(
  version: number,
  object: KubeObject | null,
  previous: KubeObject | null,
): Pick<StoreEvent, 'type' | 'object'> {
  if (object) return { type: previous ? 'MODIFIED' : 'ADDED', object }
  // Only what is stored is ever removed.
  const last = previous as KubeObject
  return {
    type: 'DELETED',
    object: { ...last, metadata: { ...last.metadata, resourceVersion: String(version) } },
  }
}
