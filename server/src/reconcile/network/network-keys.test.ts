import { expect, test } from 'vitest'
import { watchCachesOf } from '../../../../test/support/cluster/watch-caches.ts'
import { type KnownObject } from '../../engine/kube/watch/watch.ts'
import { type NetworkKey } from '../../store/network/network-keys.ts'
import { type VpcKey } from '../../store/vpc/vpc-keys.ts'
import { networkSource, vpcSource } from './network-keys.ts'
import { type ObservedCluster, type Source } from '../../engine/reconcile/sources.ts'

const watched = (
  rowId: string,
  { name, version = '1', generation = 1 }: { name: string; version?: string; generation?: number },
): KnownObject => ({
  namespace: null,
  name,
  rowId,
  version,
  generation,
  uid: `uid of ${rowId}`,
  tenantId: 't',
})

const observing = (
  noun: 'namespace' | 'network',
  objects: readonly KnownObject[],
  isSynced = true,
): ObservedCluster => watchCachesOf({ [noun]: objects }, isSynced)

async function enqueuedBy(source: Source, observed: ObservedCluster): Promise<string[]> {
  const ids: string[] = []
  for await (const keys of source.allKeys(observed))
    ids.push(...keys.map(({ objectId }) => objectId))
  return ids
}

const state = { isSettled: true, isGone: false }

const vpcs: VpcKey[] = ['rests', 'missed', 'new', 'gone', 'left'].map((id) => ({
  kind: 'vpc',
  objectId: id,
  tenantId: 't',
  name: `vpc-${id}`,
  clusterUid: `uid of ${id}`,
  ...state,
  ...(id === 'new' ? { isSettled: false } : {}),
  ...(id === 'gone' || id === 'left' ? { isGone: true } : {}),
}))
const namespaces = [
  watched('rests', { name: 'vpc-rests' }),
  watched('left', { name: 'vpc-left' }),
  watched('t', { name: 'berth-t' }),
]
const ofVpcs = vpcSource({
  workKeys: {
    vpc: {
      page: () => Promise.resolve({ keys: vpcs.filter(({ isGone }) => !isGone), after: null }),
      of: (ids) => Promise.resolve(vpcs.filter(({ objectId }) => ids.includes(objectId))),
    },
  },
})

const networks: NetworkKey[] = ['rests', 'changed', 'missed', 'new', 'gone', 'left'].map((id) => ({
  kind: 'network',
  objectId: id,
  tenantId: 't',
  namespace: 'n',
  name: `net-${id}`,
  observedVersion: '1',
  hasSubnet: false,
  subnetGeneration: null,
  ...state,
  ...(id === 'new' ? { isSettled: false } : {}),
  ...(id === 'gone' || id === 'left' ? { isGone: true } : {}),
}))
const attachments = [
  watched('rests', { name: 'net-rests' }),
  watched('changed', { name: 'net-changed', version: '2' }),
  watched('left', { name: 'net-left' }),
]
const ofNetworks = networkSource({
  workKeys: {
    network: {
      page: () => Promise.resolve({ keys: networks.filter(({ isGone }) => !isGone), after: null }),
      of: (ids) => Promise.resolve(networks.filter(({ objectId }) => ids.includes(objectId))),
    },
  },
})

test('a full pass enqueues unsettled, missing and leftover rows, and skips settled ones', async () => {
  expect(await enqueuedBy(ofVpcs, observing('namespace', namespaces))).toEqual([
    'missed',
    'new',
    'left',
  ])
  expect(await enqueuedBy(ofNetworks, observing('network', attachments))).toEqual([
    'changed',
    'missed',
    'new',
    'left',
  ])
})

test('a network is enqueued when the spec of its subnet changes, not when its addresses change', async () => {
  const rows = ['rests', 'changed', 'missed', 'left'].map((id): NetworkKey => {
    const row = {
      kind: 'network',
      objectId: id,
      tenantId: 't',
      namespace: 'n',
      name: `net-${id}`,
      observedVersion: '1',
    }
    return { ...row, ...state, isGone: id === 'left', hasSubnet: true, subnetGeneration: 1 }
  })
  const source = networkSource({
    workKeys: {
      network: {
        page: () => Promise.resolve({ keys: rows.filter(({ isGone }) => !isGone), after: null }),
        of: (ids) => Promise.resolve(rows.filter(({ objectId }) => ids.includes(objectId))),
      },
    },
  })
  const network = ['rests', 'changed', 'missed'].map((id) => watched(id, { name: `net-${id}` }))
  const subnet = [
    watched('rests', { name: 'net-rests', version: '9' }),
    watched('changed', { name: 'net-changed', generation: 2 }),
    watched('left', { name: 'net-left' }),
  ]
  expect(await enqueuedBy(source, watchCachesOf({ network, subnet }))).toEqual([
    'changed',
    'missed',
    'left',
  ])
  expect(source.objects.subnet?.(watched('rests', { name: 'net-rests' }))).toEqual([
    { kind: 'network', objectId: 'rests', tenantId: 't' },
  ])
})

test('no VPC or network counts as missing before the first list', async () => {
  expect(await enqueuedBy(ofVpcs, observing('namespace', [], false))).toEqual(['new'])
  expect(await enqueuedBy(ofNetworks, observing('network', [], false))).toEqual(['new'])
})

test('a namespace change enqueues its VPC, and the namespace of a tenant enqueues none', () => {
  const [ofVpc, , ofTenant] = namespaces
  expect(ofVpcs.objects.namespace?.(ofVpc!)).toEqual([
    { kind: 'vpc', objectId: 'rests', tenantId: 't' },
  ])
  expect(ofVpcs.objects.namespace?.(ofTenant!)).toEqual([])
})
