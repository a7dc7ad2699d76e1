import { expect, test } from 'vitest'
import { sightOf } from '../../../../test/support/cluster/watch-caches.ts'
import { type KnownObject } from '../../engine/kube/watch/watch.ts'
import { type NetworkKey } from '../../store/network/network-keys.ts'
import { type VpcKey } from '../../store/vpc/vpc-keys.ts'
import { networkSource, vpcSource } from './network-keys.ts'
import { type Sight, type Source } from '../../engine/reconcile/sources.ts'

const known = (
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

const seeing = (
  noun: 'namespace' | 'network',
  objects: readonly KnownObject[],
  isSynced = true,
): Sight => sightOf({ [noun]: objects }, isSynced)

async function lookedAt(source: Source, sight: Sight): Promise<string[]> {
  const found: string[] = []
  for await (const keys of source.everything(sight))
    found.push(...keys.map(({ objectId }) => objectId))
  return found
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
  known('rests', { name: 'vpc-rests' }),
  known('left', { name: 'vpc-left' }),
  known('t', { name: 'berth-t' }),
]
const ofVpcs = vpcSource({
  page: () => Promise.resolve({ keys: vpcs.filter(({ isGone }) => !isGone), after: null }),
  of: (ids) => Promise.resolve(vpcs.filter(({ objectId }) => ids.includes(objectId))),
})

const networks: NetworkKey[] = ['rests', 'changed', 'missed', 'new', 'gone', 'left'].map((id) => ({
  kind: 'network',
  objectId: id,
  tenantId: 't',
  namespace: 'n',
  name: `net-${id}`,
  seenVersion: '1',
  hasSubnet: false,
  subnetGeneration: null,
  ...state,
  ...(id === 'new' ? { isSettled: false } : {}),
  ...(id === 'gone' || id === 'left' ? { isGone: true } : {}),
}))
const attachments = [
  known('rests', { name: 'net-rests' }),
  known('changed', { name: 'net-changed', version: '2' }),
  known('left', { name: 'net-left' }),
]
const ofNetworks = networkSource({
  page: () => Promise.resolve({ keys: networks.filter(({ isGone }) => !isGone), after: null }),
  of: (ids) => Promise.resolve(networks.filter(({ objectId }) => ids.includes(objectId))),
})

test('a full pass looks at what is under way, missed, or left behind, and leaves alone what rests', async () => {
  expect(await lookedAt(ofVpcs, seeing('namespace', namespaces))).toEqual(['missed', 'new', 'left'])
  expect(await lookedAt(ofNetworks, seeing('network', attachments))).toEqual([
    'changed',
    'missed',
    'new',
    'left',
  ])
})

test('of a subnet it looks at what that says, and not at who has addresses there', async () => {
  const rows = ['rests', 'changed', 'missed', 'left'].map((id): NetworkKey => {
    const row = {
      kind: 'network',
      objectId: id,
      tenantId: 't',
      namespace: 'n',
      name: `net-${id}`,
      seenVersion: '1',
    }
    return { ...row, ...state, isGone: id === 'left', hasSubnet: true, subnetGeneration: 1 }
  })
  const source = networkSource({
    page: () => Promise.resolve({ keys: rows.filter(({ isGone }) => !isGone), after: null }),
    of: (ids) => Promise.resolve(rows.filter(({ objectId }) => ids.includes(objectId))),
  })
  const network = ['rests', 'changed', 'missed'].map((id) => known(id, { name: `net-${id}` }))
  const subnet = [
    known('rests', { name: 'net-rests', version: '9' }),
    known('changed', { name: 'net-changed', generation: 2 }),
    known('left', { name: 'net-left' }),
  ]
  expect(await lookedAt(source, sightOf({ network, subnet }))).toEqual([
    'changed',
    'missed',
    'left',
  ])
  expect(source.objects.subnet?.(known('rests', { name: 'net-rests' }))).toEqual([
    { kind: 'network', objectId: 'rests', tenantId: 't' },
  ])
})

test('before the first list nothing is known to be missing', async () => {
  expect(await lookedAt(ofVpcs, seeing('namespace', [], false))).toEqual(['new'])
  expect(await lookedAt(ofNetworks, seeing('network', [], false))).toEqual(['new'])
})

test('a namespace is news of its VPC, and that of a tenant of none', () => {
  const [ofVpc, , ofTenant] = namespaces
  expect(ofVpcs.objects.namespace?.(ofVpc!)).toEqual([
    { kind: 'vpc', objectId: 'rests', tenantId: 't' },
  ])
  expect(ofVpcs.objects.namespace?.(ofTenant!)).toEqual([])
})
