import { expect, test } from 'vitest'
import { templateSource } from './keys.ts'

const key = (objectId: string) => ({ kind: 'vm_template', objectId, tenantId: 't' })
const volume = (name: string, rowId: string | null) => ({
  ...{ namespace: 'n', name, rowId, uid: `uid of ${name}`, version: '1', tenantId: 't', isDeleting: false },
})

test('a full pass looks at every imported template, and at every volume of one whatever became of its row, page by page', async () => {
  const rows = new Map([
    [null, { keys: [key('a')], after: 'a' }],
    ['a', { keys: [key('b')], after: null }],
  ])
  const volumes = new Map([
    [null, { items: [volume('iso-a', 'a'), volume('vm-x', 'x')], after: 'more' }],
    ['more', { items: [volume('iso-gone', 'gone'), volume('iso-foreign', null)], after: null }],
  ])
  const source = templateSource({
    store: {
      templateKeys: (after) => Promise.resolve(rows.get(after) ?? { keys: [], after: null }),
      templateKeysOf: (ids) => Promise.resolve(ids.map(key)),
    },
    reader: { listObjects: (_noun, { after }) => Promise.resolve(volumes.get(after) ?? { items: [], after: null }) },
  })
  const seen: string[] = []
  for await (const keys of source.everything()) seen.push(...keys.map(({ objectId }) => objectId))
  expect(seen).toEqual(['a', 'b', 'a', 'gone'])
})
