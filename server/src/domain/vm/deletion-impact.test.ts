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

const impact = (change: Partial<typeof vm> = {}, owned = belongings): string[] =>
  deletionImpactOf({ ...vm, ...change }, owned).items.map(({ kind, fate, name }) =>
    [kind, fate, name].join(' ').trim(),
  )

test('the deletion impact lists all that a VM has and its fate', () => {
  expect(impact()).toEqual([
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

test('a persistent root disk is listed with its size, an ephemeral one without', () => {
  const diskOf = (rootDisk: typeof vm.rootDisk) =>
    deletionImpactOf({ ...vm, rootDisk }, belongings).items.find(({ kind }) => kind === 'root_disk')
  expect(diskOf('persistent')).toMatchObject({
    sizeGi: 40,
    sentence: { key: 'impact.vm.root_disk.sized', params: { size: 40 } },
  })
  expect(diskOf('ephemeral')).toMatchObject({ sizeGi: null })
})

test.each([
  ['no running state of a stopped VM', { state: 'Stopped' as const }, 'running_state lost'],
  ['no template that is deleted', { templateId: null }, 'template kept Ubuntu'],
])('the deletion impact lists %s', (_title, change, absent) => {
  expect(impact()).toContain(absent)
  expect(impact(change)).not.toContain(absent)
})

test('the deletion impact omits snapshots when there are none', () => {
  expect(impact({}, { ...belongings, snapshots: 0 })).not.toContain('vm_snapshot kept')
})

test('the deletion impact omits an address that is not assigned yet', () => {
  const nics = [{ address: null, seenAddress: null, mac: '02:00:00:00:00:01' }]
  expect(impact({}, { ...belongings, nics }).filter((item) => item.startsWith('address'))).toEqual([
    'address released 02:00:00:00:00:01',
  ])
})

test('the deletion impact contains the refusal', () => {
  expect(deletionImpactOf(vm, belongings)).toMatchObject({ isProtected: false, refusal: null })
  expect(deletionImpactOf({ ...vm, deleteProtection: true }, belongings)).toMatchObject({
    isProtected: true,
    refusal: { key: 'vm.protected' },
  })
  expect(String(deletionImpactOf({ ...vm, deleting: true }, belongings).refusal)).toContain(
    'is being deleted',
  )
})

test('each impact is one sentence in all states', () => {
  for (const state of vmStates)
    for (const { sentence } of deletionImpactOf({ ...vm, state }, belongings).items)
      expect(String(sentence)).toMatch(/^[A-Z].*[^.]\.$/)
})
