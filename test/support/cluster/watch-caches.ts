import { type KnownObject } from '../../../server/src/engine/kube/watch/watch.ts'
import { type Sight } from '../../../server/src/engine/reconcile/sources.ts'
import { followedKinds } from '../../../server/src/reconcile/followed-kinds.ts'

/** Returns watch caches that hold exactly these objects. */
export function sightOf(
  objects: Partial<Record<keyof Sight, readonly KnownObject[]>>,
  isSynced = true,
): Sight {
  const watch = (all: readonly KnownObject[]): Sight['vm'] => ({
    at: ({ name }) => all.find((each) => each.name === name) ?? null,
    all: () => all,
    isSynced: () => isSynced,
  })
  // The keys of the caches are exactly the followed kinds.
  return Object.fromEntries(
    followedKinds.map((noun) => [noun, watch(objects[noun] ?? [])]),
  ) as Record<keyof Sight, Sight['vm']>
}
