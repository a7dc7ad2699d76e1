import { clock } from '../clock.ts'
import { type KubeObject } from '../objects/types.ts'
import { type Resource } from '../objects/resource.ts'
import { type Store } from '../apiserver/storage/store.ts'
import { removeObject } from '../apiserver/delete.ts'
import { type StoreEvent } from '../apiserver/storage/history.ts'
import { Debounced } from './debounced.ts'
import { deleteInBackground, putOrFinish } from './system.ts'

const delayMs = 20
/**
 * Longer than any controller's reaction time: the owner's controller must see the pending deletion,
 * and each deleted dependent, before the owner goes.
 */
const foregroundMs = 60

interface Located {
  resource: Resource
  object: KubeObject
}

/**
 * Garbage collector: deletes objects without a remaining owner, and releases owners that delete or
 * orphan their dependents.
 */
export function runCollector(store: Store): () => void {
  const collector = new Collector(store)
  const unsubscribe = store.registry.all.map((resource) => {
    for (const object of store.list(resource)) collector.saw(resource, object)
    return store.subscribe(resource, (event) => collector.changed(resource, event))
  })
  collector.start()
  return () => {
    collector.stop()
    for (const stop of unsubscribe) stop()
  }
}

const ownersOf = ({ object }: Located): string[] =>
  (object.metadata.ownerReferences ?? []).map(({ uid }) => uid)

class Collector {
  readonly #store: Store
  /**
   * Only objects with owners, or that are deleted in the foreground, are tracked. A pass looks only
   * at changed objects, so its cost does not grow with the cluster.
   */
  readonly #owned = new Map<string, Located>()
  readonly #dependents = new Map<string, Set<string>>()
  readonly #candidates = new Set<string>()
  readonly #waiting = new Map<string, Located & { dueMs: number }>()
  readonly #alive = new Set<string>()
  readonly #pass = new Debounced(delayMs, () => this.#run())

  constructor(store: Store) {
    this.#store = store
  }

  start(): void {
    this.#pass.trigger()
  }

  stop(): void {
    this.#pass.stop()
  }

  changed(resource: Resource, event: StoreEvent): void {
    if (event.type === 'DELETED') this.#onDeleted(event.object)
    else this.saw(resource, event.object)
    if (this.#candidates.size > 0 || this.#waiting.size > 0) this.#pass.trigger()
  }

  saw(resource: Resource, object: KubeObject): void {
    const { uid = '', ownerReferences = [], finalizers = [] } = object.metadata
    this.#alive.add(uid)
    const waits = finalizers.includes('foregroundDeletion') || finalizers.includes('orphan')
    this.#disown(uid)
    if (ownerReferences.length > 0) this.#own(uid, { resource, object })
    const dueMs = this.#waiting.get(uid)?.dueMs ?? clock.nowMs() + foregroundMs
    if (waits && object.metadata.deletionTimestamp !== undefined)
      this.#waiting.set(uid, { resource, object, dueMs })
    else this.#waiting.delete(uid)
  }

  #onDeleted({ metadata: { uid = '', ownerReferences = [] } }: KubeObject): void {
    this.#alive.delete(uid)
    this.#disown(uid)
    this.#waiting.delete(uid)
    for (const owner of ownerReferences) {
      const waiting = this.#waiting.get(owner.uid)
      if (waiting) waiting.dueMs = clock.nowMs() + foregroundMs
    }
    for (const dependent of this.#dependents.get(uid) ?? []) this.#candidates.add(dependent)
  }

  #own(uid: string, located: Located): void {
    this.#owned.set(uid, located)
    this.#candidates.add(uid)
    for (const owner of ownersOf(located))
      this.#dependents.set(owner, (this.#dependents.get(owner) ?? new Set()).add(uid))
  }

  #disown(uid: string): void {
    const known = this.#owned.get(uid)
    if (!known) return
    this.#owned.delete(uid)
    this.#candidates.delete(uid)
    for (const owner of ownersOf(known)) {
      const dependents = this.#dependents.get(owner)
      dependents?.delete(uid)
      if (dependents?.size === 0) this.#dependents.delete(owner)
    }
  }

  #run(): void {
    for (const located of [...this.#waiting.values()]) {
      if (located.object.metadata.finalizers?.includes('orphan')) this.#orphan(located)
      else if (located.dueMs > clock.nowMs()) this.#pass.trigger()
      else this.#foreground(located)
    }
    const candidates = [...this.#candidates]
    this.#candidates.clear()
    for (const located of candidates.flatMap((uid) => this.#owned.get(uid) ?? [])) {
      const { resource, object } = located
      if (
        object.metadata.deletionTimestamp !== undefined ||
        ownersOf(located).some((owner) => this.#alive.has(owner))
      )
        continue
      deleteInBackground(this.#store, resource, object)
    }
  }

  #dependentsOf({ object }: Located): Located[] {
    return [...(this.#dependents.get(object.metadata.uid ?? '') ?? [])].flatMap(
      (uid) => this.#owned.get(uid) ?? [],
    )
  }

  #orphan(owner: Located): void {
    for (const { resource, object } of this.#dependentsOf(owner)) {
      const remaining = (object.metadata.ownerReferences ?? []).filter(
        ({ uid }) => uid !== owner.object.metadata.uid,
      )
      const { ownerReferences: _all, ...metadata } = object.metadata
      this.#store.put(resource, {
        ...object,
        metadata: remaining.length > 0 ? { ...metadata, ownerReferences: remaining } : metadata,
      })
    }
    this.#release(owner, 'orphan')
  }

  #foreground(owner: Located): void {
    const blocking = this.#dependentsOf(owner).filter(({ object }) =>
      object.metadata.ownerReferences?.some(
        ({ uid, blockOwnerDeletion }) =>
          uid === owner.object.metadata.uid && blockOwnerDeletion === true,
      ),
    )
    for (const { resource, object } of this.#dependentsOf(owner)) {
      if (object.metadata.deletionTimestamp !== undefined) continue
      // A dependent with dependents of its own is deleted in the foreground, too.
      const policy =
        this.#dependentsOf({ resource, object }).length > 0 ? 'Foreground' : 'Background'
      removeObject(this.#store, resource, {
        object,
        options: { policy, dryRun: false, uid: '', version: '', graceSeconds: null },
      })
    }
    if (blocking.every(({ object }) => !this.#alive.has(object.metadata.uid ?? '')))
      this.#release(owner, 'foregroundDeletion')
  }

  #release({ resource, object }: Located, finalizer: string): void {
    const remaining = (object.metadata.finalizers ?? []).filter((name) => name !== finalizer)
    const { finalizers: _all, ...metadata } = object.metadata
    const next: KubeObject = {
      ...object,
      metadata: remaining.length > 0 ? { ...metadata, finalizers: remaining } : metadata,
    }
    putOrFinish(this.#store, resource, { old: object, next })
  }
}
