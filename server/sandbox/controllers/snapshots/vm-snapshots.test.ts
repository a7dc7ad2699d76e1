import { afterEach, beforeEach, expect, test } from 'vitest'
import { CopiesWorld } from '../../test/support/copies-world.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'

let world: CopiesWorld
beforeEach(() => (world = new CopiesWorld()))
afterEach(() => world.end())

test('a snapshot of a stopped VM locks the VM, lists its volumes and unlocks the VM', async () => {
  world.aVm()
  const holders = world.valuesOf('vm', 'snapshotInProgress')
  const { uid } = world.takeSnapshot().metadata
  await world.until('snapshot', 's', ({ readyToUse }) => readyToUse === true)
  expect(world.status('snapshot', 's')).toMatchObject({
    phase: 'Succeeded',
    snapshotVolumes: { includedVolumes: ['root'], excludedVolumes: ['seed'] },
    virtualMachineSnapshotContentName: `vmsnapshot-content-${uid}`,
  })
  expect(world.status('snapshot', 's')).not.toHaveProperty('indications')
  expect(world.reasonOf('snapshot', 's', 'Progressing')).toBe('False: Operation complete')
  await world.until('vm', 'vm1', ({ snapshotInProgress }) => snapshotInProgress === undefined)
  expect(holders).toContain('s')
  expect(world.get('vm', 'vm1')?.metadata.finalizers).toBeUndefined()
  expect(world.eventsOf('s')).toEqual(['SuccessfulVirtualMachineSnapshotContentCreate'])
})

test.each([
  {
    because: 'the guest agent freezes the file systems',
    condition: 'AgentConnected',
    indications: ['GuestAgent', 'Online'],
    frozen: true,
  },
  {
    because: 'there is no guest agent to freeze the file systems',
    condition: 'Other',
    indications: ['NoGuestAgent', 'Online'],
    frozen: false,
  },
  {
    because: 'a paused guest cannot flush',
    condition: 'Paused',
    indications: ['Online', 'Paused'],
    frozen: false,
  },
])(
  'a snapshot of a running VM has the indications $indications because $because',
  async ({ condition, indications, frozen }) => {
    world.aVm()
    world.aRunningVmi({ type: condition, status: 'True' })
    const states = world.valuesOf('vmi', 'fsFreezeStatus')
    await world.aSnapshot()
    expect(world.status('snapshot', 's').indications).toEqual(indications)
    expect(states.includes('frozen')).toBe(frozen)
    expect(world.status('vmi', 'vm1')).not.toHaveProperty('fsFreezeStatus')
  },
)

test('a volume without snapshot support makes the snapshot partial', async () => {
  world.aStorageClass('plain', 'other')
  world.aVm('vm1', { storageClass: 'plain' })
  await world.aSnapshot()
  expect(world.status('snapshot', 's')).toMatchObject({
    snapshotVolumes: { excludedVolumes: ['root', 'seed'] },
    indications: ['PartialSnapshot'],
  })
})

test('a snapshot of a missing VM waits until the VM is created', async () => {
  world.takeSnapshot()
  await waitFor(
    () => world.reasonOf('snapshot', 's', 'Progressing') === 'False: Source does not exist',
  )
  world.aVm()
  await world.until('snapshot', 's', ({ readyToUse }) => readyToUse === true)
})

test('a snapshot of a stopped VM waits while a pod uses its PVCs, and reports the pod', async () => {
  world.aVm()
  world.aPodUsing('vm1-root')
  world.takeSnapshot()
  const waiting = 'False: Source not locked source is offline but 1 pods using PVCs [vm1-root]'
  await waitFor(() => world.reasonOf('snapshot', 's', 'Progressing') === waiting)
  world.remove('pod', 'user')
  await world.until('snapshot', 's', ({ readyToUse }) => readyToUse === true)
})

test('a snapshot past its deadline fails, deletes its content and unlocks the VM', async () => {
  await world.end()
  world = new CopiesWorld({ takesCopies: false })
  world.aVm()
  world.takeSnapshot({ failureDeadline: '1s' })
  await waitFor(() => world.count('copy') === 1)
  await world.until('snapshot', 's', ({ phase }) => phase === 'Failed')
  expect(world.reasonOf('snapshot', 's', 'Failure')).toBe('True: snapshot deadline exceeded')
  await waitFor(
    () =>
      world.count('content') === 0 && world.status('vm', 'vm1').snapshotInProgress === undefined,
  )
})

test.each([
  { policy: 'Delete', remaining: 0 },
  { policy: 'Retain', remaining: 1 },
])(
  'a deleted snapshot with the policy $policy leaves $remaining contents',
  async ({ policy, remaining }) => {
    world.aVm()
    world.takeSnapshot({ deletionPolicy: policy })
    await world.until('snapshot', 's', ({ readyToUse }) => readyToUse === true)
    await world.until('vm', 'vm1', ({ snapshotInProgress }) => snapshotInProgress === undefined)
    world.remove('snapshot', 's')
    await waitFor(() => world.get('snapshot', 's') === undefined)
    await waitFor(() => world.count('content') === remaining)
  },
)

test('a snapshot stays ready after its VM is deleted', async () => {
  world.aVm()
  await world.aSnapshot()
  world.remove('vm', 'vm1')
  expect(world.get('vm', 'vm1')).toBeUndefined()
  expect(world.status('snapshot', 's').readyToUse).toBe(true)
})

test('a VM reports for each volume whether it supports snapshots, and why not', async () => {
  world.aStorageClass('plain', 'other')
  world.aVm('vm1', { storageClass: 'plain' })
  await world.until('vm', 'vm1', ({ volumeSnapshotStatuses }) =>
    JSON.stringify(volumeSnapshotStatuses ?? '').includes('[plain]'),
  )
  expect(world.status('vm', 'vm1').volumeSnapshotStatuses).toEqual([
    {
      enabled: false,
      name: 'root',
      reason:
        'No VolumeSnapshotClass: Volume snapshots are not configured for this StorageClass [plain] [root]',
    },
    {
      enabled: false,
      name: 'seed',
      reason: 'Snapshot is not supported for this volumeSource type [seed]',
    },
  ])
})

test.each([
  { kind: 'PersistentVolumeClaim', name: 'vm1-root', apiGroup: '' },
  { kind: 'VirtualMachine', name: 'vm1', apiGroup: 'kubevirt.io' },
])(
  'an export of a $kind waits while a pod uses the volume, then gets links and a token',
  async (source) => {
    world.aVm()
    world.aPodUsing('vm1-root')
    world.exportOf(source)
    await world.until('export', 'e', ({ phase }) => phase === 'Pending')
    await waitFor(() => world.reasonOf('export', 'e', 'Ready') === 'False: InUse')
    world.remove('pod', 'user')
    await world.until('export', 'e', ({ phase }) => phase === 'Ready')
    expect(world.status('export', 'e')).toMatchObject({
      tokenSecretRef: 'export-token-e',
      links: { internal: { volumes: [{ name: 'vm1-root' }] } },
    })
  },
)
