import { keyOfObject, rowSource } from '../../engine/reconcile/row-source.ts'
import { vmObjectNames } from '../../domain/vm/object-names.ts'
import { type ChangedObject } from '../../engine/kube/watch/watch.ts'
import { type SourceParts } from '../source-parts.ts'
import { type VmFirewallKey } from '../../store/vm-firewall/vm-firewall-keys.ts'
import { type FirewallSettings, builtFromWith, fingerprintOf } from './firewall-settings.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'
import { type ObservedCluster, type Source } from '../../engine/reconcile/sources.ts'

/**
 * Enqueues a firewall when its policy differs from the record. A full pass each minute also
 * enqueues firewalls with changes that are not applied, and those from other bounds.
 */
export const vmFirewallSource = ({
  workKeys: { vm_firewall: rows },
  firewallSettings,
}: SourceParts<'vm_firewall'> & {
  firewallSettings: () => FirewallSettings | null
}): Source =>
  rowSource({
    rows,
    objects: { networkPolicy: keysOf, multiNetworkPolicy: keysOf },
    needsReconcile: (key, observed) =>
      key.isGone
        ? observed.networkPolicy.at(referenceOf(key))?.rowId === key.objectId
        : !key.isSettled || hasChanged(key, observed) || isOutdated(key, firewallSettings()),
    ownersOf: ({ networkPolicy }) =>
      [...networkPolicy.all()].filter(isFirewall).map(({ rowId }) => rowId),
  })

const isFirewall = ({ rowId, name }: { rowId: string | null; name: string }): boolean =>
  rowId !== null && name === vmObjectNames.firewall(rowId)

const keysOf = (object: ChangedObject): WorkKey[] =>
  isFirewall(object) ? keyOfObject('vm_firewall', object) : []

const referenceOf = ({ namespace, objectId }: VmFirewallKey) => ({
  namespace,
  name: vmObjectNames.firewall(objectId),
})

/** True when the policy was built from other bounds than today's. */
function isOutdated(
  { observedVersion, builtFrom }: VmFirewallKey,
  settings: FirewallSettings | null,
): boolean {
  if (observedVersion === null || builtFrom === null || settings === null) return false
  return builtFrom !== builtFromWith(fingerprintOf(settings.bounds), observedVersion)
}

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
