import { type ChangedObject } from '../../engine/kube/watch/watch.ts'
import { type NetworkKey } from '../../store/network/network-keys.ts'
import { type KeyReader } from '../../store/store.ts'
import { type VpcKey } from '../../store/vpc/vpc-keys.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'
import { keyPages } from '../../engine/reconcile/key-pages.ts'
import { type ObservedCluster, type Source } from '../../engine/reconcile/sources.ts'

/**
 * Enqueues a VPC when its namespace changes. A full pass each minute skips VPCs that match their
 * records. Use cases enqueue their own changes.
 */
export function vpcSource(rows: KeyReader<VpcKey>): Source {
  return {
    changes: {},
    // All other namespaces that Berth creates belong to tenants.
    objects: {
      namespace: (object) => (object.rowId === object.tenantId ? [] : keysOf('vpc', object)),
    },
    async filter(keys, observed) {
      return vpcsToReconcile(await rows.of(keys.map(({ objectId }) => objectId)), observed)
    },
    async *allKeys(observed) {
      for await (const keys of keyPages((after) => rows.page(after)))
        yield vpcsToReconcile(keys, observed)
      const namespaces = [...observed.namespace.all()].filter(
        ({ rowId, tenantId }) => rowId !== tenantId,
      )
      yield vpcsToReconcile(leftBehind(await rows.of(rowsOf(namespaces))), observed)
    },
  }
}

/**
 * Enqueues a network when its attachment or the spec of its subnet changes. A full pass each minute
 * skips networks that match their records.
 */
export function networkSource(rows: KeyReader<NetworkKey>): Source {
  return {
    changes: {},
    objects: {
      network: (object) => keysOf('network', object),
      subnet: (object) => keysOf('network', object),
    },
    async filter(keys, observed) {
      return networksToReconcile(await rows.of(keys.map(({ objectId }) => objectId)), observed)
    },
    async *allKeys(observed) {
      for await (const keys of keyPages((after) => rows.page(after)))
        yield networksToReconcile(keys, observed)
      yield networksToReconcile(
        leftBehind(await rows.of(rowsOf([...observed.network.all(), ...observed.subnet.all()]))),
        observed,
      )
    },
  }
}

const keysOf = (kind: string, { tenantId, rowId }: ChangedObject): WorkKey[] =>
  tenantId === null || rowId === null ? [] : [{ kind, objectId: rowId, tenantId }]

const rowsOf = (objects: readonly { rowId: string | null }[]): string[] =>
  objects.flatMap(({ rowId }) => rowId ?? [])

/**
 * Returns the rows that are gone but may have objects: a paused worker can create one after the row
 * ended.
 */
const leftBehind = <Key extends { isGone: boolean }>(keys: readonly Key[]): Key[] =>
  keys.filter(({ isGone }) => isGone)

const vpcsToReconcile = (
  keys: readonly VpcKey[],
  { namespace: namespaces }: ObservedCluster,
): VpcKey[] =>
  keys.filter(({ name, clusterUid, isSettled, isGone }) => {
    const existing = namespaces.at({ namespace: null, name })
    if (isGone) return existing !== null
    // Before the first list, no object counts as missing.
    return !isSettled || (namespaces.isSynced() && existing?.uid !== clusterUid)
  })

const networksToReconcile = (
  keys: readonly NetworkKey[],
  observed: ObservedCluster,
): NetworkKey[] =>
  keys.filter((key) => {
    if (key.isGone)
      return observed.network.at(key) !== null || observed.subnet.at(subnetOf(key)) !== null
    return !key.isSettled || hasChanged(key, observed)
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
