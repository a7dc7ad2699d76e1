import { expect, test } from 'vitest'
import { type KnownObject } from '../cluster/reader/watcher.ts'
import { templateSource } from './keys.ts'
import { type Sight } from './sources.ts'

const key = (objectId: string) => ({ kind: 'vm_template', objectId, tenantId: 't' })
const volume = (name: string, rowId: string | null): KnownObject => ({
  ...{ namespace: 'n', name, rowId, uid: `uid of ${name}`, version: '1', tenantId: 't' },
})

const seeing = (volumes: readonly KnownObject[]): Sight => {
  const nothing = { at: () => null, all: () => [], isSynced: () => true }
  return { namespace: nothing, vm: nothing, instance: nothing, dataVolume: { ...nothing, all: () => volumes } }
}

test('a full pass looks at every imported template, and at every volume of one whatever became of its row', async () => {
  const rows = new Map([
    [null, { keys: [key('a')], after: 'a' }],
    ['a', { keys: [key('b')], after: null }],
  ])
  const source = templateSource({
    templateKeys: (after) => Promise.resolve(rows.get(after) ?? { keys: [], after: null }),
    templateKeysOf: (ids) => Promise.resolve(ids.map(key)),
  })
  const seen: string[] = []
  const sight = seeing([volume('iso-a', 'a'), volume('vm-x', 'x'), volume('iso-gone', 'gone'), volume('iso-foreign', null)])
  for await (const keys of source.everything(sight)) seen.push(...keys.map(({ objectId }) => objectId))
  expect(seen).toEqual(['a', 'b', 'a', 'gone'])
})
