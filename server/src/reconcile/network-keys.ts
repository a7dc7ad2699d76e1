import { type ChangedObject } from '../cluster/reader/watcher.ts'
import { type NetworkKey } from '../store/network-keys.ts'
import { type Store } from '../store/store.ts'
import { type VpcKey } from '../store/vpc-keys.ts'
import { type WorkKey } from '../store/work-lease.ts'
import { pages } from './keys.ts'
import { type Sight, type Source } from './sources.ts'

/** A VPC is looked at when its namespace changes, and once a minute unless both are at rest. Use cases ring for what they ask. */
export function vpcSource(store: Pick<Store, 'vpcKeys' | 'vpcKeysOf'>): Source {
  return {
    changes: {},
    // The other namespaces that we make are those of tenants.
    objects: { namespace: (object) => (object.rowId === object.tenantId ? [] : keysOf('vpc', object)) },
    async sift(keys, sight) {
      return restlessVpcs(await store.vpcKeysOf(keys.map(({ objectId }) => objectId)), sight)
    },
    async *everything(sight) {
      for await (const keys of pages((after) => store.vpcKeys(after))) yield restlessVpcs(keys, sight)
      const places = [...sight.namespace.all()].filter(({ rowId, tenantId }) => rowId !== tenantId)
      yield restlessVpcs(leftBehind(await store.vpcKeysOf(rowsOf(places))), sight)
    },
  }
}

/** A network is looked at when its attachment changes, and once a minute unless both are at rest. */
export function networkSource(store: Pick<Store, 'networkKeys' | 'networkKeysOf'>): Source {
  return {
    changes: {},
    objects: { network: (object) => keysOf('network', object) },
    async sift(keys, sight) {
      return restlessNetworks(await store.networkKeysOf(keys.map(({ objectId }) => objectId)), sight)
    },
    async *everything(sight) {
      for await (const keys of pages((after) => store.networkKeys(after))) yield restlessNetworks(keys, sight)
      yield restlessNetworks(leftBehind(await store.networkKeysOf(rowsOf([...sight.network.all()]))), sight)
    },
  }
}

const keysOf = (kind: string, { tenantId, rowId }: ChangedObject): WorkKey[] =>
  tenantId === null || rowId === null ? [] : [{ kind, objectId: rowId, tenantId }]

const rowsOf = (objects: readonly { rowId: string | null }[]): string[] => objects.flatMap(({ rowId }) => rowId ?? [])

/** What a worker made that was paused beyond the end of the row. */
const leftBehind = <Key extends { isGone: boolean }>(keys: readonly Key[]): Key[] => keys.filter(({ isGone }) => isGone)

const restlessVpcs = (keys: readonly VpcKey[], { namespace: namespaces }: Sight): VpcKey[] =>
  keys.filter(({ name, clusterUid, isSettled, isGone }) => {
    const there = namespaces.at({ namespace: null, name })
    if (isGone) return there !== null
    // Before the first list nothing is known to be missing.
    return !isSettled || (namespaces.isSynced() && there?.uid !== clusterUid)
  })

const restlessNetworks = (keys: readonly NetworkKey[], { network: attachments }: Sight): NetworkKey[] =>
  keys.filter(({ namespace, name, seenVersion, isSettled, isGone }) => {
    const there = attachments.at({ namespace, name })
    if (isGone) return there !== null
    return !isSettled || (attachments.isSynced() && there?.version !== seenVersion)
  })
