import { expect, test } from 'vitest'
import { sightOf } from '../../../../test/support/cluster/watch-caches.ts'
import { type KnownObject } from '../../engine/kube/watch/watch.ts'
import { type VmKey } from '../../store/vm/vm-keys.ts'
import { type Sight } from '../../engine/reconcile/sources.ts'
import { vmSource } from './vm-keys.ts'

const key = (objectId: string, more: Partial<VmKey> = {}): VmKey => ({
  kind: 'vm',
  objectId,
  tenantId: 't',
  namespace: 'n',
  name: `name-of-${objectId}`,
  seenVersion: '7/9',
  isSettled: true,
  isGone: false,
  ...more,
})
const known = (name: string, rowId: string, version: string): KnownObject => ({
  namespace: 'n',
  name,
  uid: name,
  tenantId: 't',
  rowId,
  version,
  generation: 1,
})

async function lookedAt(rows: readonly VmKey[], sight: Sight): Promise<string[]> {
  const source = vmSource({
    page: () => Promise.resolve({ keys: rows.filter(({ isGone }) => !isGone), after: null }),
    of: (ids) => Promise.resolve(rows.filter(({ objectId }) => ids.includes(objectId))),
  })
  const found: string[] = []
  for await (const keys of source.everything(sight))
    found.push(...keys.map(({ objectId }) => objectId))
  return found
}

test('a full pass looks at what is under way and at what the streams know otherwise, and leaves alone what rests', async () => {
  const rows = [key('rests'), key('stirs'), key('starts', { isSettled: false }), key('lost')]
  const vm = [
    known('name-of-rests', 'rests', '7'),
    known('name-of-stirs', 'stirs', '8'),
    known('name-of-starts', 'starts', '7'),
  ]
  const instance = [
    known('name-of-rests', 'rests', '9'),
    known('name-of-stirs', 'stirs', '9'),
    known('name-of-starts', 'starts', '9'),
  ]
  expect(await lookedAt(rows, sightOf({ vm, instance }))).toEqual(['stirs', 'starts', 'lost'])
})

test.each([
  ['the machine itself', { vm: [known('name-of-gone', 'gone', '1')] }],
  ['its disk', { dataVolume: [known('vm-gone-root', 'gone', '1')] }],
  ['its copy of an ISO', { dataVolume: [known('vm-gone-iso', 'gone', '1')] }],
])(
  'a machine that is gone is looked at while there is something of it: %s',
  async (_what, left) => {
    expect(await lookedAt([key('gone', { isGone: true })], sightOf(left))).toEqual(['gone'])
  },
)

test('what is gone as a whole, and what only bears its name, is left alone', async () => {
  expect(
    await lookedAt(
      [key('gone', { isGone: true })],
      sightOf({ vm: [known('name-of-gone', 'another', '1')] }),
    ),
  ).toEqual([])
})
