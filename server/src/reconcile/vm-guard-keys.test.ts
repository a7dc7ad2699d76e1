import { expect, test } from 'vitest'
import { sightOf } from '../../../test/support/sight.ts'
import { type KnownObject } from '../cluster/reader/watcher.ts'
import { type VmGuardKey } from '../store/vm-guard-keys.ts'
import { type Sight } from './sources.ts'
import { vmGuardSource } from './vm-guard-keys.ts'

const key = (objectId: string, part: Partial<VmGuardKey> = {}): VmGuardKey => ({
  ...{ kind: 'vm_guard', objectId, tenantId: 't', namespace: 'n', seenVersion: '7', isSettled: true, isGone: false },
  ...part,
})
const policy = (rowId: string, version = '7', name = `vm-${rowId}-guard`): KnownObject => ({
  ...{ namespace: 'n', name, uid: name, tenantId: 't', rowId, version },
})

const seeing = (policies: readonly KnownObject[], isSynced = true): Sight => sightOf({ networkPolicy: policies }, isSynced)

async function lookedAt(rows: readonly VmGuardKey[], sight: Sight): Promise<string[]> {
  const source = vmGuardSource({
    vmGuardKeys: () => Promise.resolve({ keys: rows.filter(({ isGone }) => !isGone), after: null }),
    vmGuardKeysOf: (ids) => Promise.resolve(rows.filter(({ objectId }) => ids.includes(objectId))),
  })
  const found: string[] = []
  for await (const keys of source.everything(sight)) found.push(...keys.map(({ objectId }) => objectId))
  return found
}

test('a full pass looks at guards that were opened, taken away or are behind, and leaves alone what rests or is not to be there yet', async () => {
  const rows = [key('rests'), key('opened'), key('missing'), key('behind', { isSettled: false }), key('coming', { seenVersion: null })]
  const policies = [policy('rests'), policy('opened', '8'), policy('behind')]
  expect(await lookedAt(rows, seeing(policies))).toEqual(['opened', 'missing', 'behind'])
  expect(await lookedAt(rows, seeing([], false))).toEqual(['behind'])
})

test('and at what is left of machines that are gone, but not at policies that are no guards', async () => {
  const gone = [key('gone', { isGone: true }), key('t', { isGone: true })]
  expect(await lookedAt(gone, seeing([policy('gone'), policy('t', '7', 'tenant-wall')]))).toEqual(['gone'])
})

test('the cluster’s news of a guard is about its machine, and news of other policies is about none', () => {
  const { objects } = vmGuardSource({
    vmGuardKeys: () => Promise.reject(new TypeError()),
    vmGuardKeysOf: () => Promise.reject(new TypeError()),
  })
  expect(objects.networkPolicy?.(policy('a'))).toEqual([{ kind: 'vm_guard', objectId: 'a', tenantId: 't' }])
  expect(objects.networkPolicy?.(policy('a', '7', 'import-wall'))).toEqual([])
})
