import { resourceName } from '../objects/resource.ts'
import { type Store } from '../apiserver/storage/store.ts'
import { type KubeObject } from '../objects/types.ts'
import { clock } from '../clock.ts'
import { type World } from './client.ts'

/** A write that the informer cache of its kind has not received yet. */
interface PendingDelivery {
  version: number
  namespace: string | undefined
  dueMs: number
}

/**
 * The informer caches that the controllers of a cluster share. A watch per kind feeds them in order
 * but with its own delay, so two kinds may show different moments.
 */
export class Caches {
  readonly #store: Store
  readonly #pending = new Map<string, PendingDelivery[]>()

  constructor({ store, pace }: World) {
    this.#store = store
    for (const resource of store.registry.all.filter(({ namespaced }) => namespaced)) {
      const kind = resourceName(resource)
      store.subscribe(resource, ({ version, object }) => {
        const undelivered = this.#undelivered(kind)
        const dueMs = Math.max(undelivered.at(-1)?.dueMs ?? 0, clock.nowMs() + pace.msOf('watch'))
        this.#pending.set(kind, [
          ...undelivered,
          { version, namespace: object.metadata.namespace, dueMs },
        ])
      })
    }
  }

  /** Lists the objects as the watch of the kind has delivered them so far. */
  list(kind: string, namespace: string | undefined): KubeObject[] {
    const next = this.#undelivered(kind).find((each) => each.namespace === namespace)
    const resource = this.#store.registry.named(kind)
    return next
      ? this.#store.listAt(resource, next.version - 1, namespace)
      : this.#store.list(resource, namespace)
  }

  /**
   * The milliseconds until the watches have delivered all writes to the namespace with a later
   * version.
   */
  lagMs(kinds: readonly string[], namespace: string | undefined, version = 0): number {
    const missing = kinds
      .flatMap((kind) => this.#undelivered(kind))
      .filter((each) => each.namespace === namespace && each.version > version)
    return Math.max(0, ...missing.map(({ dueMs }) => dueMs - clock.nowMs()))
  }

  #undelivered(kind: string): PendingDelivery[] {
    return (this.#pending.get(kind) ?? []).filter(({ dueMs }) => dueMs > clock.nowMs())
  }
}

const known = new WeakMap<Store, Caches>()

/** Returns the caches of a cluster, which are created once. */
export function cachesOf({ world }: { world: World }): Caches {
  const caches = known.get(world.store) ?? new Caches(world)
  known.set(world.store, caches)
  return caches
}
