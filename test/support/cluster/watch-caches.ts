import { type KnownObject } from '../../../server/src/engine/kube/watch/watch.ts'
import { type Sight } from '../../../server/src/engine/reconcile/sources.ts'
import { followedKinds } from '../../../server/src/reconcile/followed-kinds.ts'

/** What streams would know if these were all the objects there are. */
export function sightOf(
  objects: Partial<Record<keyof Sight, readonly KnownObject[]>>,
  isSynced = true,
): Sight {
  const watch = (all: readonly KnownObject[]): Sight['vm'] => ({
    at: ({ name }) => all.find((each) => each.name === name) ?? null,
    all: () => all,
    isSynced: () => isSynced,
  })
  // The nouns are all that a sight has.
  return Object.fromEntries(
    followedKinds.map((noun) => [noun, watch(objects[noun] ?? [])]),
  ) as Record<keyof Sight, Sight['vm']>
}
