import { vmParts } from '../../domain/vm/parts.ts'
import { type ChangedObject } from '../../engine/kube/watch/watch.ts'
import { type KeyReader } from '../../store/store.ts'
import { type VmGuardKey } from '../../store/vm-guard/vm-guard-keys.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'
import { keyPages } from '../../engine/reconcile/key-pages.ts'
import { type Sight, type Source } from '../../engine/reconcile/sources.ts'

/**
 * A guard is looked at when the cluster's object is not as it was left, and once a minute where not
 * all that was asked has been told.
 */
export function vmGuardSource(rows: KeyReader<VmGuardKey>): Source {
  return {
    changes: {},
    objects: {
      networkPolicy: keysOf,
      multiNetworkPolicy: keysOf,
    },
    async sift(keys, sight) {
      return restless(await rows.of(keys.map(({ objectId }) => objectId)), sight)
    },
    async *everything(sight) {
      const known = new Set<string>()
      for await (const keys of keyPages((after) => rows.page(after))) {
        for (const { objectId } of keys) known.add(objectId)
        yield restless(keys, sight)
      }
      // What a worker made that was paused beyond the end of the machine.
      const strays = [...sight.networkPolicy.all()].flatMap(({ rowId, name }) =>
        rowId !== null && !known.has(rowId) && name === vmParts.guard(rowId) ? [rowId] : [],
      )
      yield restless(await rows.of(strays), sight)
    },
  }
}

const keysOf = ({ tenantId, rowId, name }: ChangedObject): WorkKey[] =>
  tenantId !== null && rowId !== null && name === vmParts.guard(rowId)
    ? [{ kind: 'vm_guard', objectId: rowId, tenantId }]
    : []

const restless = (keys: readonly VmGuardKey[], sight: Sight): VmGuardKey[] =>
  keys.filter((key) => {
    const seen = sight.networkPolicy.at(placeOf(key))
    if (key.isGone) return seen?.rowId === key.objectId
    return !key.isSettled || isUnlike(key, sight)
  })

const placeOf = ({ namespace, objectId }: VmGuardKey) => ({
  namespace,
  name: vmParts.guard(objectId),
})

/** Before the first list nothing is known to be missing. */
function isUnlike(
  key: VmGuardKey,
  { networkPolicy: policies, multiNetworkPolicy: filters }: Sight,
): boolean {
  const { seenVersion, hasNetworks, networksVersion } = key
  if (seenVersion === null) return false
  if (policies.isSynced() && policies.at(placeOf(key))?.version !== seenVersion) return true
  return hasNetworks && filters.isSynced() && filters.at(placeOf(key))?.version !== networksVersion
}
