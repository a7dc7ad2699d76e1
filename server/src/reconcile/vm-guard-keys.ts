import { vmParts } from '../domain/vm/parts.ts'
import { type Store } from '../store/store.ts'
import { type VmGuardKey } from '../store/vm-guard-keys.ts'
import { pages } from './keys.ts'
import { type Sight, type Source } from './sources.ts'

/** A guard is looked at when the cluster's object is not as it was left, and once a minute where not all that was asked has been told. */
export function vmGuardSource(store: Pick<Store, 'vmGuardKeys' | 'vmGuardKeysOf'>): Source {
  return {
    changes: {},
    objects: {
      networkPolicy: ({ tenantId, rowId, name }) =>
        tenantId !== null && rowId !== null && name === vmParts.guard(rowId) ? [{ kind: 'vm_guard', objectId: rowId, tenantId }] : [],
    },
    async sift(keys, sight) {
      return restless(await store.vmGuardKeysOf(keys.map(({ objectId }) => objectId)), sight)
    },
    async *everything(sight) {
      const known = new Set<string>()
      for await (const keys of pages((after) => store.vmGuardKeys(after))) {
        for (const { objectId } of keys) known.add(objectId)
        yield restless(keys, sight)
      }
      // What a worker made that was paused beyond the end of the machine.
      const strays = [...sight.networkPolicy.all()].flatMap(({ rowId, name }) =>
        rowId !== null && !known.has(rowId) && name === vmParts.guard(rowId) ? [rowId] : [],
      )
      yield restless(await store.vmGuardKeysOf(strays), sight)
    },
  }
}

const restless = (keys: readonly VmGuardKey[], { networkPolicy: policies }: Sight): VmGuardKey[] =>
  keys.filter(({ objectId, namespace, seenVersion, isSettled, isGone }) => {
    const seen = policies.at({ namespace, name: vmParts.guard(objectId) })
    if (isGone) return seen?.rowId === objectId
    // Before the first list nothing is known to be missing.
    return !isSettled || (policies.isSynced() && seenVersion !== null && seen?.version !== seenVersion)
  })
