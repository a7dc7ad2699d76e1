import { afterEach, beforeEach, expect, test } from 'vitest'
import { CopiesWorld } from '../../../test/support/copies-world.ts'
import { waitFor } from '../../../../../test/support/wait-for.ts'
import { read } from '../../../objects/read.ts'

let world: CopiesWorld
beforeEach(() => (world = new CopiesWorld()))
afterEach(() => world.end())

test('a restore switches the stopped VM to new volumes and deletes the old ones', async () => {
  world.aVm()
  world.aDataVolume('vm1-root')
  await world.aSnapshot()
  const { uid } = world.restoreTo('vm1').metadata
  await world.until('restore', 'r', ({ complete }) => complete === true)
  const name = `restore-${uid}-root`
  expect(read.at(world.get('vm', 'vm1'), 'spec', 'dataVolumeTemplates')).toMatchObject([
    { metadata: { name } },
  ])
  expect(read.at(world.get('vm', 'vm1'), 'spec', 'template', 'spec', 'volumes')).toMatchObject([
    { dataVolume: { name } },
    { name: 'seed' },
  ])
  expect(world.spec('claim', name)).toMatchObject({
    resources: { requests: { storage: '2Gi' } },
    dataSource: { kind: 'VolumeSnapshot' },
  })
  expect(world.status('restore', 'r')).toMatchObject({
    deletedDataVolumes: ['vm1-root'],
    restores: [{ volumeName: 'root', dataVolumeName: name }],
  })
  expect(world.get('dataVolume', 'vm1-root')).toBeUndefined()
  expect(world.status('vm', 'vm1')).not.toHaveProperty('restoreInProgress')
  expect(world.get('restore', 'r')?.metadata.ownerReferences).toMatchObject([
    { kind: 'VirtualMachine', name: 'vm1' },
  ])
  expect(world.eventsOf('r')).toContain('VirtualMachineRestoreComplete')
})

test('a restore to an unused name creates a halted VM with the patches', async () => {
  world.aVm('vm1', { runStrategy: 'Always' })
  await world.aSnapshot()
  const mac = '/spec/template/spec/domain/devices/interfaces/0/macAddress'
  world.restoreTo('vm2', {
    patches: [`{"op":"replace","path":"${mac}","value":"02-00-00-00-00-02"}`],
    volumeRestorePolicy: 'PrefixTargetName',
  })
  await world.until('restore', 'r', ({ complete }) => complete === true)
  const vm = world.get('vm', 'vm2')
  expect(vm?.spec).toMatchObject({
    runStrategy: 'Halted',
    dataVolumeTemplates: [{ metadata: { name: 'vm2-root' } }],
  })
  expect(read.at(vm, 'spec', 'template', 'spec', 'domain', 'devices', 'interfaces')).toMatchObject([
    { macAddress: '02-00-00-00-00-02' },
  ])
})

test('an in-place restore keeps the names of the volumes', async () => {
  world.aVm()
  const { uid } = world.get('claim', 'vm1-root')?.metadata ?? {}
  await world.aSnapshot()
  world.restoreTo('vm1', { volumeRestorePolicy: 'InPlace' })
  await world.until('restore', 'r', ({ complete }) => complete === true)
  expect(read.at(world.get('vm', 'vm1'), 'spec', 'template', 'spec', 'volumes')).toMatchObject([
    { dataVolume: { name: 'vm1-root' } },
    {},
  ])
  expect(world.get('claim', 'vm1-root')?.metadata.uid).not.toBe(uid)
})

test.each([
  {
    policy: 'FailImmediate',
    failed: true,
    reason: 'Restore target VMI must be powered off before restore operation',
  },
  {
    policy: 'WaitGracePeriod',
    failed: false,
    reason:
      'Waiting for target VM to be powered off. Please stop the restore target to proceed with restore, or the operation will fail after 5m0s',
  },
  {
    policy: 'WaitEventually',
    failed: false,
    reason:
      'Waiting for target VM to be powered off. Please stop the restore target to proceed with restore',
  },
])(
  'a restore with the policy $policy waits for a running VM, or fails for good',
  async ({ policy, failed, reason }) => {
    world.aVm()
    await world.aSnapshot()
    world.aRunningVmi()
    world.restoreTo('vm1', { targetReadinessPolicy: policy })
    await waitFor(() => world.reasonOf('restore', 'r', 'Ready') === `False: ${reason}`)
    expect(world.reasonOf('restore', 'r', 'Failure')).toBe(failed ? `True: ${reason}` : 'absent')
    expect(world.status('vm', 'vm1')).not.toHaveProperty('restoreInProgress')
    world.remove('vmi', 'vm1')
    if (!failed) await world.until('restore', 'r', ({ complete }) => complete === true)
  },
)

test('a restore with the policy StopTarget stops its VM and leaves it halted', async () => {
  world.aVm('vm1', { runStrategy: 'Always' })
  await world.aSnapshot()
  world.aRunningVmi()
  world.restoreTo('vm1', { targetReadinessPolicy: 'StopTarget' })
  await waitFor(() => read.at(world.get('vm', 'vm1'), 'spec', 'runStrategy') === 'Halted')
  world.remove('vmi', 'vm1')
  await world.until('restore', 'r', ({ complete }) => complete === true)
  expect(read.at(world.get('vm', 'vm1'), 'spec', 'runStrategy')).toBe('Halted')
})

test('a restore to another existing VM reports the reason and blocks the next restore', async () => {
  world.aVm()
  await world.aSnapshot()
  world.aVm('vm2')
  world.restoreTo('vm2')
  const why = 'restore source and restore target are different but restore target already exists'
  await waitFor(() => world.reasonOf('restore', 'r', 'Ready') === `False: ${why}`)
  expect(world.reasonOf('restore', 'r', 'Failure')).toBe('absent')
  expect(() => world.restoreTo('vm2', { name: 'r2' })).toThrow(/"r" in progress/)
})

test('a restore continues after a restart of the control plane', async () => {
  world.aVm()
  await world.aSnapshot()
  world.restoreTo('vm1')
  await world.until('restore', 'r', ({ restores }) => restores !== undefined)
  await world.reopen()
  await world.until('restore', 'r', ({ complete }) => complete === true)
})

test('a clone gets its own identity and the filtered labels, and deletes its temporary objects', async () => {
  world.aVm()
  world.clone({
    labelFilters: ['*', '!drop'],
    newMacAddresses: { default: '02-00-00-00-00-03' },
    newSMBiosSerial: 's2',
  })
  await world.until('clone', 'c', ({ phase }) => phase === 'Succeeded')
  const vm = world.get('vm', 'vm2')
  expect(vm?.metadata.labels).toEqual({ keep: 'yes' })
  const domain = read.map(read.at(vm, 'spec', 'template', 'spec', 'domain'))
  expect(domain).toMatchObject({
    devices: { interfaces: [{ macAddress: '02-00-00-00-00-03' }] },
    firmware: { serial: 's2' },
  })
  expect(read.at(domain.firmware, 'uuid')).not.toBe('u1')
  expect(world.status('clone', 'c')).toMatchObject({ targetName: 'vm2' })
  await waitFor(() => world.count('snapshot', 'restore', 'content') === 0)
})

test('a clone from a snapshot keeps the snapshot', async () => {
  world.aVm()
  await world.aSnapshot()
  const source = { apiGroup: 'snapshot.kubevirt.io', kind: 'VirtualMachineSnapshot', name: 's' }
  world.clone({ source })
  await world.until('clone', 'c', ({ phase }) => phase === 'Succeeded')
  await waitFor(() => world.count('restore') === 0)
  expect(world.get('snapshot', 's')?.metadata.deletionTimestamp).toBeUndefined()
})

test('a clone with colons in a MAC address fails and records an event', async () => {
  world.aVm()
  world.clone({ newMacAddresses: { default: '02:00:00:00:00:03' } })
  await waitFor(() => world.eventsOf('c').includes('RestoreCreationFailed'))
  expect(world.get('vm', 'vm2')).toBeUndefined()
})
