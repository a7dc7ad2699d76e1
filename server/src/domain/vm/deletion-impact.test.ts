import { expect, test } from 'vitest'
import { deletionImpactOf } from './deletion-impact.ts'
import { vmStates } from './state.ts'

const vm: Parameters<typeof deletionImpactOf>[0] = {
  name: 'db-1',
  state: 'Running',
  deleting: false,
  deleteProtection: false,
  rootDisk: 'persistent',
  bootDiskSizeGi: 40,
  templateId: 'template-1',
  templateName: 'Ubuntu',
  busyWith: null,
}

const belongings: Parameters<typeof deletionImpactOf>[1] = {
  volumes: [{ name: 'data', sizeGi: 5 }],
  schedules: [{ name: 'nightly' }],
  snapshots: 2,
  nics: [
    { address: null, seenAddress: '10.0.0.7', mac: '02:00:00:00:00:01' },
    { address: '10.1.0.2', seenAddress: null, mac: '02:00:00:00:00:02' },
  ],
}

const told = (different: Partial<typeof vm> = {}, beside = belongings): string[] =>
  deletionImpactOf({ ...vm, ...different }, beside).items.map(({ kind, fate, name }) =>
    [kind, fate, name].join(' ').trim(),
  )

test('everything that a VM has is told, with what becomes of it', () => {
  expect(told()).toEqual([
    'running_state lost',
    'root_disk lost root',
    'guest_settings lost',
    'volume kept data',
    'snapshot_schedule lost nightly',
    'vm_snapshot kept',
    'address released 10.0.0.7',
    'address released 02:00:00:00:00:01',
    'address released 10.1.0.2',
    'address released 02:00:00:00:00:02',
    'name released db-1',
    'template kept Ubuntu',
    'ssh_keys kept',
    'record kept',
  ])
})

test('a disk that is erased is told with its size; one that forgets anyway has none', () => {
  const diskOf = (rootDisk: typeof vm.rootDisk) =>
    deletionImpactOf({ ...vm, rootDisk }, belongings).items.find(({ kind }) => kind === 'root_disk')
  expect(diskOf('persistent')).toMatchObject({
    sizeGi: 40,
    sentence: { key: 'impact.vm.root_disk.sized', params: { size: 40 } },
  })
  expect(diskOf('ephemeral')).toMatchObject({ sizeGi: null })
})

test.each([
  ['nothing in memory of one that is off', { state: 'Stopped' as const }, 'running_state lost'],
  ['no template where that is gone', { templateId: null }, 'template kept Ubuntu'],
])('there is %s', (_what, different, absent) => {
  expect(told()).toContain(absent)
  expect(told(different)).not.toContain(absent)
})

test('snapshots are told where there are any', () => {
  expect(told({}, { ...belongings, snapshots: 0 })).not.toContain('vm_snapshot kept')
})

test('there is no address where the cluster has given none yet', () => {
  const nics = [{ address: null, seenAddress: null, mac: '02:00:00:00:00:01' }]
  expect(told({}, { ...belongings, nics }).filter((item) => item.startsWith('address'))).toEqual([
    'address released 02:00:00:00:00:01',
  ])
})

test('what forbids the deletion is told with it', () => {
  expect(deletionImpactOf(vm, belongings)).toMatchObject({ isProtected: false, refusal: null })
  expect(deletionImpactOf({ ...vm, deleteProtection: true }, belongings)).toMatchObject({
    isProtected: true,
    refusal: { key: 'vm.protected' },
  })
  expect(String(deletionImpactOf({ ...vm, deleting: true }, belongings).refusal)).toContain(
    'is being deleted',
  )
})

test('each sentence is one, in every state', () => {
  for (const state of vmStates)
    for (const { sentence } of deletionImpactOf({ ...vm, state }, belongings).items)
      expect(String(sentence)).toMatch(/^[A-Z].*[^.]\.$/)
})
