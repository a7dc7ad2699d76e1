import { keyOfObject, rowSource } from '../../engine/reconcile/row-source.ts'
import { type ChangedObject } from '../../engine/kube/watch/watch.ts'
import { type NetworkKey } from '../../store/network/network-keys.ts'
import { type SourceParts } from '../source-parts.ts'
import { type ObservedCluster, type Source } from '../../engine/reconcile/sources.ts'

/**
 * Enqueues a VPC when its namespace changes. A full pass each minute skips VPCs that match their
 * records. Use cases enqueue their own changes.
 */
export const vpcSource = ({ workKeys: { vpc: rows } }: SourceParts<'vpc'>): Source =>
  rowSource({
    rows,
    objects: { namespace: (object) => (isOfVpc(object) ? keyOfObject('vpc', object) : []) },
    needsReconcile({ name, clusterUid, isSettled, isGone }, { namespace: namespaces }) {
      const existing = namespaces.at({ namespace: null, name })
      if (isGone) return existing !== null
      // Before the first list, no object counts as missing.
      return !isSettled || (namespaces.isSynced() && existing?.uid !== clusterUid)
    },
    ownersOf: (observed) => [...observed.namespace.all()].filter(isOfVpc).map(({ rowId }) => rowId),
  })

/** All other namespaces that Berth creates belong to tenants. */
const isOfVpc = ({ rowId, tenantId }: Pick<ChangedObject, 'rowId' | 'tenantId'>): boolean =>
  rowId !== tenantId

/**
 * Enqueues a network when its attachment or the spec of its subnet changes. A full pass each minute
 * skips networks that match their records.
 */
export const networkSource = ({ workKeys: { network: rows } }: SourceParts<'network'>): Source =>
  rowSource({
    rows,
    objects: {
      network: (object) => keyOfObject('network', object),
      subnet: (object) => keyOfObject('network', object),
    },
    needsReconcile: (key, observed) =>
      key.isGone
        ? observed.network.at(key) !== null || observed.subnet.at(subnetOf(key)) !== null
        : !key.isSettled || hasChanged(key, observed),
    ownersOf: ({ network: attachments, subnet: subnets }) =>
      [...attachments.all(), ...subnets.all()].map(({ rowId }) => rowId),
  })

const subnetOf = ({ name }: NetworkKey) => ({ namespace: null, name })

function hasChanged(
  key: NetworkKey,
  { network: attachments, subnet: subnets }: ObservedCluster,
): boolean {
  if (attachments.isSynced() && attachments.at(key)?.version !== key.observedVersion) return true
  return (
    key.hasSubnet &&
    subnets.isSynced() &&
    subnets.at(subnetOf(key))?.generation !== key.subnetGeneration
  )
}
