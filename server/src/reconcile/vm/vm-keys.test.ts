import { expect, test } from 'vitest'
import { watchCachesOf } from '../../../../test/support/cluster/watch-caches.ts'
import { type KnownObject } from '../../engine/kube/watch/watch.ts'
import { type VmKey } from '../../store/vm/vm-keys.ts'
import { type ObservedCluster } from '../../engine/reconcile/sources.ts'
import { vmSource } from './vm-keys.ts'

const key = (objectId: string, more: Partial<VmKey> = {}): VmKey => ({
  kind: 'vm',
  objectId,
  tenantId: 't',
  namespace: 'n',
  name: `name-of-${objectId}`,
  observedVersion: '7/9',
  isSettled: true,
  isGone: false,
  ...more,
})
const watched = (name: string, rowId: string, version: string): KnownObject => ({
  namespace: 'n',
  name,
  uid: name,
  tenantId: 't',
  rowId,
  version,
  generation: 1,
})

async function enqueuedBy(rows: readonly VmKey[], observed: ObservedCluster): Promise<string[]> {
  const source = vmSource({
    workKeys: {
      vm: {
        page: () => Promise.resolve({ keys: rows.filter(({ isGone }) => !isGone), after: null }),
        of: (ids) => Promise.resolve(rows.filter(({ objectId }) => ids.includes(objectId))),
      },
    },
  })
  const ids: string[] = []
  for await (const keys of source.allKeys(observed))
    ids.push(...keys.map(({ objectId }) => objectId))
  return ids
}

test('a full pass enqueues VMs that are unsettled or differ from the watch caches, and skips the rest', async () => {
  const rows = [key('rests'), key('stirs'), key('starts', { isSettled: false }), key('lost')]
  const vm = [
    watched('name-of-rests', 'rests', '7'),
    watched('name-of-stirs', 'stirs', '8'),
    watched('name-of-starts', 'starts', '7'),
  ]
  const instance = [
    watched('name-of-rests', 'rests', '9'),
    watched('name-of-stirs', 'stirs', '9'),
    watched('name-of-starts', 'starts', '9'),
  ]
  expect(await enqueuedBy(rows, watchCachesOf({ vm, instance }))).toEqual([
    'stirs',
    'starts',
    'lost',
  ])
})

test.each([
  ['the VM itself', { vm: [watched('name-of-gone', 'gone', '1')] }],
  ['its disk', { dataVolume: [watched('vm-gone-root', 'gone', '1')] }],
  ['its copy of an ISO', { dataVolume: [watched('vm-gone-iso', 'gone', '1')] }],
])('a gone VM is enqueued while a part of it is left: %s', async (_part, left) => {
  expect(await enqueuedBy([key('gone', { isGone: true })], watchCachesOf(left))).toEqual(['gone'])
})

test('a gone VM is skipped when nothing of it is left, even when another object has its name', async () => {
  expect(
    await enqueuedBy(
      [key('gone', { isGone: true })],
      watchCachesOf({ vm: [watched('name-of-gone', 'another', '1')] }),
    ),
  ).toEqual([])
})
