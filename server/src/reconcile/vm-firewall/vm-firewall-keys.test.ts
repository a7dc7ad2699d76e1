import { expect, test } from 'vitest'
import { watchCachesOf } from '../../../../test/support/cluster/watch-caches.ts'
import { type KnownObject } from '../../engine/kube/watch/watch.ts'
import { type VmFirewallKey } from '../../store/vm-firewall/vm-firewall-keys.ts'
import { type ObservedCluster } from '../../engine/reconcile/sources.ts'
import { type FirewallSettings, builtFromWith, fingerprintOf } from './firewall-settings.ts'
import { vmFirewallSource } from './vm-firewall-keys.ts'

const key = (objectId: string, part: Partial<VmFirewallKey> = {}): VmFirewallKey => ({
  kind: 'vm_firewall',
  objectId,
  tenantId: 't',
  namespace: 'n',
  observedVersion: '7',
  isSettled: true,
  isGone: false,
  hasNetworks: false,
  networksVersion: null,
  builtFrom: null,
  ...part,
})
const policy = (rowId: string, version = '7', name = `vm-${rowId}-guard`): KnownObject => ({
  namespace: 'n',
  name,
  uid: name,
  tenantId: 't',
  rowId,
  version,
  generation: 1,
})

const observing = (
  networkPolicy: readonly KnownObject[],
  isSynced = true,
  multiNetworkPolicy: readonly KnownObject[] = [],
): ObservedCluster => watchCachesOf({ networkPolicy, multiNetworkPolicy }, isSynced)

async function enqueuedBy(
  rows: readonly VmFirewallKey[],
  observed: ObservedCluster,
  settings: FirewallSettings | null = null,
): Promise<string[]> {
  const source = vmFirewallSource({
    workKeys: {
      vm_firewall: {
        page: () => Promise.resolve({ keys: rows.filter(({ isGone }) => !isGone), after: null }),
        of: (ids) => Promise.resolve(rows.filter(({ objectId }) => ids.includes(objectId))),
      },
    },
    firewallSettings: () => settings,
  })
  const ids: string[] = []
  for await (const keys of source.allKeys(observed))
    ids.push(...keys.map(({ objectId }) => objectId))
  return ids
}

test('a full pass enqueues firewalls that are changed, missing or behind, and skips those that match or are not due yet', async () => {
  const rows = [
    key('rests'),
    key('opened'),
    key('missing'),
    key('behind', { isSettled: false }),
    key('coming', { observedVersion: null }),
  ]
  const policies = [policy('rests'), policy('opened', '8'), policy('behind')]
  expect(await enqueuedBy(rows, observing(policies))).toEqual(['opened', 'missing', 'behind'])
  expect(await enqueuedBy(rows, observing([], false))).toEqual(['behind'])
})

test('a full pass enqueues firewalls that were built from other bounds, or were written by an earlier build', async () => {
  const dns = { namespace: 'kube-system', addresses: [] }
  const bounds = { closed: ['192.0.2.10/32'], pods: [], dns }
  const fingerprint = fingerprintOf(bounds)
  const rows = [
    key('rests', { builtFrom: builtFromWith(fingerprint, '7') }),
    key('other-bounds', {
      builtFrom: builtFromWith(fingerprintOf({ ...bounds, closed: [] }), '7'),
    }),
    key('written-later', { builtFrom: builtFromWith(fingerprint, '6') }),
    key('earlier-build', { builtFrom: '' }),
    key('leaving', { builtFrom: null }),
  ]
  const observed = observing(rows.map(({ objectId }) => policy(objectId)))
  expect(await enqueuedBy(rows, observed, { takesFilters: false, bounds })).toEqual([
    'other-bounds',
    'written-later',
    'earlier-build',
  ])
  expect(await enqueuedBy(rows, observed)).toEqual([])
})

test('a full pass enqueues filters of other networks that are changed or missing', async () => {
  const inNetworks = { hasNetworks: true, networksVersion: '3' }
  const rows = [
    key('rests', inNetworks),
    key('opened', inNetworks),
    key('missing', inNetworks),
    key('alone'),
    key('old', { hasNetworks: true }),
  ]
  const policies = rows.map(({ objectId }) => policy(objectId))
  const filters = [
    policy('rests', '3'),
    policy('opened', '4'),
    policy('alone', '3'),
    policy('old', '3'),
  ]
  expect(await enqueuedBy(rows, observing(policies, true, filters))).toEqual([
    'opened',
    'missing',
    'old',
  ])
})

test('a full pass enqueues leftover firewalls of gone VMs, and no other policies', async () => {
  const gone = [key('gone', { isGone: true }), key('t', { isGone: true })]
  expect(
    await enqueuedBy(gone, observing([policy('gone'), policy('t', '7', 'tenant-wall')])),
  ).toEqual(['gone'])
})

test('a change of a firewall policy enqueues its VM, and other policies enqueue none', () => {
  const { objects } = vmFirewallSource({
    workKeys: {
      vm_firewall: {
        page: () => Promise.reject(new TypeError()),
        of: () => Promise.reject(new TypeError()),
      },
    },
    firewallSettings: () => null,
  })
  expect(objects.networkPolicy?.(policy('a'))).toEqual([
    { kind: 'vm_firewall', objectId: 'a', tenantId: 't' },
  ])
  expect(objects.multiNetworkPolicy?.(policy('a'))).toEqual([
    { kind: 'vm_firewall', objectId: 'a', tenantId: 't' },
  ])
  expect(objects.networkPolicy?.(policy('a', '7', 'import-wall'))).toEqual([])
})
