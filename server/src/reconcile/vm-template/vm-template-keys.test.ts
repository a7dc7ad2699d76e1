import { expect, test } from 'vitest'
import { watchCachesOf } from '../../../../test/support/cluster/watch-caches.ts'
import { type KnownObject } from '../../engine/kube/watch/watch.ts'
import { vmTemplateSource } from './vm-template-keys.ts'

const key = (objectId: string) => ({ kind: 'vm_template', objectId, tenantId: 't' })
const volume = (name: string, rowId: string | null): KnownObject => ({
  namespace: 'n',
  name,
  rowId,
  uid: `uid of ${name}`,
  version: '1',
  generation: 1,
  tenantId: 't',
})

test('a full pass enqueues every imported template and every template volume, even when its row is gone', async () => {
  const rows = new Map([
    [null, { keys: [key('a')], after: 'a' }],
    ['a', { keys: [key('b')], after: null }],
  ])
  const source = vmTemplateSource({
    workKeys: {
      vm_template: {
        page: (after) => Promise.resolve(rows.get(after) ?? { keys: [], after: null }),
        of: (ids) => Promise.resolve(ids.map(key)),
      },
    },
  })
  const enqueued: string[] = []
  const dataVolume = [
    volume('iso-a', 'a'),
    volume('vm-x', 'x'),
    volume('iso-gone', 'gone'),
    volume('iso-foreign', null),
  ]
  const observed = watchCachesOf({ dataVolume })
  for await (const keys of source.allKeys(observed))
    enqueued.push(...keys.map(({ objectId }) => objectId))
  expect(enqueued).toEqual(['a', 'b', 'a', 'gone'])
})
