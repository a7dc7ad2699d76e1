import { expect, test } from 'vitest'
import { sightOf } from '../../../../test/support/cluster/watch-caches.ts'
import { type KnownObject } from '../../engine/kube/watch/watch.ts'
import { type VmGuardKey } from '../../store/vm-guard/vm-guard-keys.ts'
import { type Sight } from '../../engine/reconcile/sources.ts'
import { vmGuardSource } from './vm-guard-keys.ts'

const key = (objectId: string, part: Partial<VmGuardKey> = {}): VmGuardKey => ({
  kind: 'vm_guard',
  objectId,
  tenantId: 't',
  namespace: 'n',
  seenVersion: '7',
  isSettled: true,
  isGone: false,
  hasNetworks: false,
  networksVersion: null,
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

const seeing = (
  networkPolicy: readonly KnownObject[],
  isSynced = true,
  multiNetworkPolicy: readonly KnownObject[] = [],
): Sight => sightOf({ networkPolicy, multiNetworkPolicy }, isSynced)

async function lookedAt(rows: readonly VmGuardKey[], sight: Sight): Promise<string[]> {
  const source = vmGuardSource({
    page: () => Promise.resolve({ keys: rows.filter(({ isGone }) => !isGone), after: null }),
    of: (ids) => Promise.resolve(rows.filter(({ objectId }) => ids.includes(objectId))),
  })
  const found: string[] = []
  for await (const keys of source.everything(sight))
    found.push(...keys.map(({ objectId }) => objectId))
  return found
}

test('a full pass looks at guards that were opened, taken away or are behind, and leaves alone what rests or is not to be there yet', async () => {
  const rows = [
    key('rests'),
    key('opened'),
    key('missing'),
    key('behind', { isSettled: false }),
    key('coming', { seenVersion: null }),
  ]
  const policies = [policy('rests'), policy('opened', '8'), policy('behind')]
  expect(await lookedAt(rows, seeing(policies))).toEqual(['opened', 'missing', 'behind'])
  expect(await lookedAt(rows, seeing([], false))).toEqual(['behind'])
})

test('the same of filters in other networks, where there are to be any', async () => {
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
  expect(await lookedAt(rows, seeing(policies, true, filters))).toEqual([
    'opened',
    'missing',
    'old',
  ])
})

test('and at what is left of machines that are gone, but not at policies that are no guards', async () => {
  const gone = [key('gone', { isGone: true }), key('t', { isGone: true })]
  expect(await lookedAt(gone, seeing([policy('gone'), policy('t', '7', 'tenant-wall')]))).toEqual([
    'gone',
  ])
})

test('the cluster’s news of a guard is about its machine, and news of other policies is about none', () => {
  const { objects } = vmGuardSource({
    page: () => Promise.reject(new TypeError()),
    of: () => Promise.reject(new TypeError()),
  })
  expect(objects.networkPolicy?.(policy('a'))).toEqual([
    { kind: 'vm_guard', objectId: 'a', tenantId: 't' },
  ])
  expect(objects.multiNetworkPolicy?.(policy('a'))).toEqual([
    { kind: 'vm_guard', objectId: 'a', tenantId: 't' },
  ])
  expect(objects.networkPolicy?.(policy('a', '7', 'import-wall'))).toEqual([])
})
