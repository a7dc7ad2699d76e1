import { type KubeObject } from '../../objects/types.ts'
import { type Resource, resourceName } from '../../objects/resource.ts'
import { type Registry, registry } from '../../kinds/registry.ts'
import { History, type StoreEvent } from './history.ts'
import { Journal } from './journal.ts'
import { textToWrite } from './render.ts'
import { SortedKeys } from './sorted-keys.ts'

/*
 * One counter numbers the writes of all kinds. A write is synchronous in memory, so no other write
 * can intervene between a read and a write without an await. The promise of a write only reports
 * that the disk has it.
 */
type Stored = { kind: string; key: string; object: KubeObject | null }
export type Listener = (event: StoreEvent) => void

interface KindStore {
  objects: Map<string, KubeObject>
  keys: SortedKeys
  history: History
  listeners: Set<Listener>
}

export interface StoreOptions {
  folder: string
  /** Kinds of the cluster. The default has no optional components. */
  registry?: Registry
  historyLimit?: number
  compactAfterBytes?: number
}

/**
 * First resourceVersion. Small numbers in requests are therefore always too old and never valid by
 * chance.
 */
const firstVersion = 1000

export const keyOf = (namespace: string | undefined, name: string): string =>
  `${namespace ?? ''}/${name}`

/** All objects of the cluster: in memory for reads and watches, and in a journal on disk. */
export class Store {
  readonly registry: Registry
  #version = firstVersion
  readonly #kinds = new Map<string, KindStore>()
  readonly #journal: Journal<Stored>
  #lastWrite: Promise<void> = Promise.resolve()

  constructor(options: StoreOptions) {
    this.registry = options.registry ?? registry
    for (const resource of this.registry.all) {
      this.#kinds.set(resourceName(resource), {
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

  oldestVersion = (resource: Resource): number => this.#kindStore(resource).history.oldest

  get(resource: Resource, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#kindStore(resource).objects.get(keyOf(namespace, name))
  }

  /** Returns all objects in key order, of one namespace or of all. */
  list(resource: Resource, namespace?: string): KubeObject[] {
    const kindStore = this.#kindStore(resource)
    return kindStore.keys
      .withPrefix(namespace === undefined ? '' : `${namespace}/`)
      .flatMap((key) => kindStore.objects.get(key) ?? [])
  }

  /** Returns the list at an earlier version that the history still covers. */
  listAt(resource: Resource, version: number, namespace?: string): KubeObject[] {
    const undo = this.eventsAfter(resource, version).reverse()
    if (undo.length === 0) return this.list(resource, namespace)
    const past = new Map(this.#kindStore(resource).objects)
    for (const event of undo) {
      if (event.previous) past.set(event.key, event.previous)
      else past.delete(event.key)
    }
    const prefix = namespace === undefined ? '' : `${namespace}/`
    const keys = [...past.keys()].filter((key) => key.startsWith(prefix)).sort()
    return keys.flatMap((key) => past.get(key) ?? [])
  }

  eventsAfter = (resource: Resource, version: number): StoreEvent[] =>
    this.#kindStore(resource).history.after(version)

  /** Stores the object with the next resourceVersion and returns it. */
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

  /** Removes the object. Watchers receive its last state with a newer resourceVersion. */
  remove(resource: Resource, object: KubeObject): void {
    this.#commit(resource, {
      version: ++this.#version,
      key: keyOf(object.metadata.namespace, object.metadata.name),
      object: null,
    })
  }

  /** Resolves when all writes so far are on disk. */
  durable = (): Promise<void> => this.#lastWrite

  subscribe(resource: Resource, listener: Listener): () => void {
    const { listeners } = this.#kindStore(resource)
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  /** Drops the history, as an etcd compaction does. */
  forget(version = this.#version): void {
    for (const kindStore of this.#kinds.values()) kindStore.history.forgetUpTo(version)
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
    // A failed sync rejects for waiting callers. Without a waiter it must not end the process.
    this.#lastWrite.catch(() => undefined)
    const event = this.#record(this.#kindStore(resource), write)
    for (const listener of [...this.#kindStore(resource).listeners]) listener(event)
  }

  #record(
    kindStore: KindStore,
    { version, key, object }: { version: number; key: string; object: KubeObject | null },
  ): StoreEvent {
    const previous = kindStore.objects.get(key) ?? null
    const event = { version, key, previous, ...describe(version, object, previous) }
    if (object) kindStore.objects.set(key, object)
    else kindStore.objects.delete(key)
    if (object && !previous) kindStore.keys.add(key)
    if (!object) kindStore.keys.remove(key)
    kindStore.history.add(event)
    return event
  }

  #load(): void {
    for (const { version, entry } of this.#journal.load()) {
      this.#version = Math.max(this.#version, version)
      const kindStore = this.#kinds.get(entry.kind)
      // Objects of a kind that this build does not serve stay in the journal until the next
      // compaction.
      if (kindStore) this.#record(kindStore, { version, key: entry.key, object: entry.object })
    }
    // The entries of a snapshot are not ordered by version, so they are a state and not a history.
    this.forget()
  }

  *#everything(): Generator<{ version: number; entry: Stored }> {
    for (const [kind, kindStore] of this.#kinds) {
      for (const [key, object] of kindStore.objects)
        yield { version: Number(object.metadata.resourceVersion), entry: { kind, key, object } }
    }
    // The counter can be higher than the version of every existing object.
    yield { version: this.#version, entry: { kind: '', key: '', object: null } }
  }

  #kindStore(resource: Resource): KindStore {
    const kindStore = this.#kinds.get(resourceName(resource))
    if (!kindStore) throw new TypeError(`resource is not registered: ${resourceName(resource)}`)
    return kindStore
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
  // The cast holds because only stored objects are removed.
  const last = previous as KubeObject
  return {
    type: 'DELETED',
    object: { ...last, metadata: { ...last.metadata, resourceVersion: String(version) } },
  }
}
