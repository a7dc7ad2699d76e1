import { type KnownObject } from '../../../server/src/engine/kube/watch/watch.ts'
import { type ObservedCluster } from '../../../server/src/engine/reconcile/sources.ts'
import { followedKinds } from '../../../server/src/reconcile/followed-kinds.ts'

/** Returns watch caches that hold exactly these objects. */
export function watchCachesOf(
  objects: Partial<Record<keyof ObservedCluster, readonly KnownObject[]>>,
  isSynced = true,
): ObservedCluster {
  const watch = (all: readonly KnownObject[]): ObservedCluster['vm'] => ({
    at: ({ name }) => all.find((each) => each.name === name) ?? null,
    all: () => all.filter(({ rowId }) => rowId !== null),
    foreign: () => all.filter(({ rowId }) => rowId === null),
    isSynced: () => isSynced,
  })
  // The keys of the caches are exactly the followed kinds.
  return Object.fromEntries(
    followedKinds.map((noun) => [noun, watch(objects[noun] ?? [])]),
  ) as Record<keyof ObservedCluster, ObservedCluster['vm']>
}
