import { vmObjectNames } from '../../domain/vm/object-names.ts'
import { type ChangedObject } from '../../engine/kube/watch/watch.ts'
import { type KeyReader } from '../../store/store.ts'
import { type VmFirewallKey } from '../../store/vm-firewall/vm-firewall-keys.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'
import { keyPages } from '../../engine/reconcile/key-pages.ts'
import { type ObservedCluster, type Source } from '../../engine/reconcile/sources.ts'

/**
 * Enqueues a firewall when its policy differs from the record. A full pass each minute also
 * enqueues firewalls with changes that are not applied.
 */
export function vmFirewallSource(rows: KeyReader<VmFirewallKey>): Source {
  return {
    changes: {},
    objects: {
      networkPolicy: keysOf,
      multiNetworkPolicy: keysOf,
    },
    async filter(keys, observed) {
      return keysToReconcile(await rows.of(keys.map(({ objectId }) => objectId)), observed)
    },
    async *allKeys(observed) {
      const known = new Set<string>()
      for await (const keys of keyPages((after) => rows.page(after))) {
        for (const { objectId } of keys) known.add(objectId)
        yield keysToReconcile(keys, observed)
      }
      // A worker that was paused past the end of the VM may have created these policies.
      const strays = [...observed.networkPolicy.all()].flatMap(({ rowId, name }) =>
        rowId !== null && !known.has(rowId) && name === vmObjectNames.firewall(rowId)
          ? [rowId]
          : [],
      )
      yield keysToReconcile(await rows.of(strays), observed)
    },
  }
}

const keysOf = ({ tenantId, rowId, name }: ChangedObject): WorkKey[] =>
  tenantId !== null && rowId !== null && name === vmObjectNames.firewall(rowId)
    ? [{ kind: 'vm_firewall', objectId: rowId, tenantId }]
    : []

const keysToReconcile = (
  keys: readonly VmFirewallKey[],
  observed: ObservedCluster,
): VmFirewallKey[] =>
  keys.filter((key) => {
    const policy = observed.networkPolicy.at(referenceOf(key))
    if (key.isGone) return policy?.rowId === key.objectId
    return !key.isSettled || hasChanged(key, observed)
  })

const referenceOf = ({ namespace, objectId }: VmFirewallKey) => ({
  namespace,
  name: vmObjectNames.firewall(objectId),
})

/** Before the first list, no policy counts as missing. */
function hasChanged(
  key: VmFirewallKey,
  { networkPolicy: policies, multiNetworkPolicy: filters }: ObservedCluster,
): boolean {
  const { observedVersion, hasNetworks, networksVersion } = key
  if (observedVersion === null) return false
  if (policies.isSynced() && policies.at(referenceOf(key))?.version !== observedVersion) return true
  return (
    hasNetworks && filters.isSynced() && filters.at(referenceOf(key))?.version !== networksVersion
  )
}
