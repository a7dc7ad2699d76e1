import { type ChangedObject } from '../../engine/kube/watch/watch.ts'
import { type NetworkKey } from '../../store/network/network-keys.ts'
import { type KeyReader } from '../../store/store.ts'
import { type VpcKey } from '../../store/vpc/vpc-keys.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'
import { keyPages } from '../../engine/reconcile/key-pages.ts'
import { type Sight, type Source } from '../../engine/reconcile/sources.ts'

/**
 * A VPC is looked at when its namespace changes, and once a minute unless both are at rest. Use
 * cases ring for what they ask.
 */
export function vpcSource(rows: KeyReader<VpcKey>): Source {
  return {
    changes: {},
    // The other namespaces that we make are those of tenants.
    objects: {
      namespace: (object) => (object.rowId === object.tenantId ? [] : keysOf('vpc', object)),
    },
    async sift(keys, sight) {
      return restlessVpcs(await rows.of(keys.map(({ objectId }) => objectId)), sight)
    },
    async *everything(sight) {
      for await (const keys of keyPages((after) => rows.page(after)))
        yield restlessVpcs(keys, sight)
      const places = [...sight.namespace.all()].filter(({ rowId, tenantId }) => rowId !== tenantId)
      yield restlessVpcs(leftBehind(await rows.of(rowsOf(places))), sight)
    },
  }
}

/**
 * A network is looked at when its attachment changes or what its subnet says, and once a minute
 * unless both are at rest.
 */
export function networkSource(rows: KeyReader<NetworkKey>): Source {
  return {
    changes: {},
    objects: {
      network: (object) => keysOf('network', object),
      subnet: (object) => keysOf('network', object),
    },
    async sift(keys, sight) {
      return restlessNetworks(await rows.of(keys.map(({ objectId }) => objectId)), sight)
    },
    async *everything(sight) {
      for await (const keys of keyPages((after) => rows.page(after)))
        yield restlessNetworks(keys, sight)
      yield restlessNetworks(
        leftBehind(await rows.of(rowsOf([...sight.network.all(), ...sight.subnet.all()]))),
        sight,
      )
    },
  }
}

const keysOf = (kind: string, { tenantId, rowId }: ChangedObject): WorkKey[] =>
  tenantId === null || rowId === null ? [] : [{ kind, objectId: rowId, tenantId }]

const rowsOf = (objects: readonly { rowId: string | null }[]): string[] =>
  objects.flatMap(({ rowId }) => rowId ?? [])

/** What a worker made that was paused beyond the end of the row. */
const leftBehind = <Key extends { isGone: boolean }>(keys: readonly Key[]): Key[] =>
  keys.filter(({ isGone }) => isGone)

const restlessVpcs = (keys: readonly VpcKey[], { namespace: namespaces }: Sight): VpcKey[] =>
  keys.filter(({ name, clusterUid, isSettled, isGone }) => {
    const there = namespaces.at({ namespace: null, name })
    if (isGone) return there !== null
    // Before the first list nothing is known to be missing.
    return !isSettled || (namespaces.isSynced() && there?.uid !== clusterUid)
  })

const restlessNetworks = (keys: readonly NetworkKey[], sight: Sight): NetworkKey[] =>
  keys.filter((key) => {
    if (key.isGone) return sight.network.at(key) !== null || sight.subnet.at(subnetOf(key)) !== null
    return !key.isSettled || isUnlike(key, sight)
  })

const subnetOf = ({ name }: NetworkKey) => ({ namespace: null, name })

function isUnlike(key: NetworkKey, { network: attachments, subnet: subnets }: Sight): boolean {
  if (attachments.isSynced() && attachments.at(key)?.version !== key.seenVersion) return true
  return (
    key.hasSubnet &&
    subnets.isSynced() &&
    subnets.at(subnetOf(key))?.generation !== key.subnetGeneration
  )
}
