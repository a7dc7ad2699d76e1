import { isIsoVolume } from '../domain/vm-template/iso-volume.ts'
import { type Store } from '../store/store.ts'
import { type TenantKey } from '../store/tenant-keys.ts'
import { type WorkKey } from '../store/work-lease.ts'
import { type Sight, type Source } from './sources.ts'

const keyOf = (id: string): WorkKey => ({ kind: 'tenant', objectId: id, tenantId: id })

/** A tenant is looked at when it or its namespace changes, and once a minute unless both are at rest. */
export function tenantSource(store: Pick<Store, 'tenantKeys' | 'tenantKeysOf'>): Source {
  return {
    changes: { tenant: (change) => [keyOf(change.objectId)] },
    objects: { namespace: ({ tenantId }) => (tenantId === null ? [] : [keyOf(tenantId)]) },
    async sift(keys, sight) {
      return restless(await store.tenantKeysOf(keys.map(({ objectId }) => objectId)), sight)
    },
    async *everything(sight) {
      for await (const keys of pages((after) => store.tenantKeys(after))) yield restless(keys, sight)
    },
  }
}

const restless = (keys: readonly TenantKey[], { namespace: namespaces }: Sight): TenantKey[] =>
  keys.filter(({ namespace, clusterUid, isSettled }) => {
    const isThere = namespaces.at({ namespace: null, name: namespace })?.uid === clusterUid
    // Before the first list nothing is known to be missing.
    return !isSettled || (namespaces.isSynced() && !isThere)
  })

/**
 * Once a minute every template that is imported, and every volume of one: what a worker made that was paused beyond the end of the import, or of the
 * template, is found by its volume alone. Use cases ring for what they ask; a reconciler's own writes need no second look.
 */
export function templateSource(store: Pick<Store, 'templateKeys' | 'templateKeysOf'>): Source {
  return {
    changes: {},
    objects: {},
    async *everything({ dataVolume }) {
      yield* pages((after) => store.templateKeys(after))
      const volumes = [...dataVolume.all()].filter(({ name }) => isIsoVolume(name))
      yield await store.templateKeysOf(volumes.flatMap(({ rowId }) => rowId ?? []))
    },
  }
}

export async function* pages<Key>(
  page: (after: string | null) => Promise<{ keys: readonly Key[]; after: string | null }>,
): AsyncIterable<readonly Key[]> {
  for (let after: string | null = null, first = true; first || after !== null; first = false) {
    const found: Awaited<ReturnType<typeof page>> = await page(after)
    yield found.keys
    after = found.after
  }
}
