import { expect, test } from 'vitest'
import { deletionImpactOf } from './deletion-impact.ts'
import { vmStates } from './state.ts'

const vm: Parameters<typeof deletionImpactOf>[0] = {
  ...{ name: 'db-1', state: 'Running', deleting: false, deleteProtection: false, rootDisk: 'persistent', bootDiskSizeGi: 40 },
  ...{ ip: '10.0.0.7', mac: '02:00:00:00:00:01', templateId: 'template-1', templateName: 'Ubuntu' },
}

const told = (different: Partial<typeof vm> = {}): string[] =>
  deletionImpactOf({ ...vm, ...different }).items.map(({ kind, fate, name }) => [kind, fate, name].join(' ').trim())

test('everything that a VM has is told, with what becomes of it', () => {
  expect(told()).toEqual([
    'running_state lost',
    'root_disk lost root',
    'guest_settings lost',
    'address released 10.0.0.7',
    'address released 02:00:00:00:00:01',
    'name released db-1',
    'template kept Ubuntu',
    'ssh_keys kept',
    'record kept',
  ])
})

test('a disk that is erased is told with its size; one that forgets anyway has none', () => {
  const diskOf = (rootDisk: typeof vm.rootDisk) => deletionImpactOf({ ...vm, rootDisk }).items.find(({ kind }) => kind === 'root_disk')
  expect(diskOf('persistent')).toMatchObject({ sizeGi: 40, sentence: expect.stringContaining('40 GiB') })
  expect(diskOf('ephemeral')).toMatchObject({ sizeGi: null })
})

test.each([
  ['nothing in memory of one that is off', { state: 'Stopped' as const }, 'running_state lost'],
  ['no address where it has none yet', { ip: null }, 'address released 10.0.0.7'],
  ['no template where that is gone', { templateId: null }, 'template kept Ubuntu'],
])('there is %s', (_what, different, absent) => {
  expect(told()).toContain(absent)
  expect(told(different)).not.toContain(absent)
})

test('what forbids the deletion is told with it', () => {
  expect(deletionImpactOf(vm)).toMatchObject({ isProtected: false, refusal: null })
  expect(deletionImpactOf({ ...vm, deleteProtection: true })).toMatchObject({
    isProtected: true,
    refusal: expect.stringContaining('protected'),
  })
  expect(deletionImpactOf({ ...vm, deleting: true }).refusal).toContain('is being deleted')
})

test('each sentence is one, in every state', () => {
  for (const state of vmStates)
    for (const { sentence } of deletionImpactOf({ ...vm, state }).items) expect(sentence).toMatch(/^[A-Z].*[^.]\.$/)
})
