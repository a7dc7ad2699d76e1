import { afterEach, beforeEach, expect, test } from 'vitest'
import { CopiesWorld } from '../../test/support/copies-world.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'

let world: CopiesWorld
beforeEach(() => (world = new CopiesWorld()))
afterEach(() => world.end())

test('a snapshot of a stopped VM holds the VM, lists what is in it and lets the VM go', async () => {
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
  expect(world.eventsAbout('s')).toEqual(['SuccessfulVirtualMachineSnapshotContentCreate'])
})

test.each([
  {
    because: 'its agent holds the file systems',
    condition: 'AgentConnected',
    indications: ['GuestAgent', 'Online'],
    frozen: true,
  },
  {
    because: 'nobody can hold the file systems',
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
  'a snapshot of a running VM says $indications, because $because',
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

test('a volume that could be in the snapshot and is not makes it a partial one', async () => {
  world.aStorageClass('plain', 'other')
  world.aVm('vm1', { storageClass: 'plain' })
  await world.aSnapshot()
  expect(world.status('snapshot', 's')).toMatchObject({
    snapshotVolumes: { excludedVolumes: ['root', 'seed'] },
    indications: ['PartialSnapshot'],
  })
})

test('a snapshot of a VM that is missing waits, and goes on when the VM comes', async () => {
  world.takeSnapshot()
  await waitFor(
    () => world.reasonOf('snapshot', 's', 'Progressing') === 'False: Source does not exist',
  )
  world.aVm()
  await world.until('snapshot', 's', ({ readyToUse }) => readyToUse === true)
})

test('a snapshot of a stopped VM waits while a pod uses its claims, and says so', async () => {
  world.aVm()
  world.aPodUsing('vm1-root')
  world.takeSnapshot()
  const waiting = 'False: Source not locked source is offline but 1 pods using PVCs [vm1-root]'
  await waitFor(() => world.reasonOf('snapshot', 's', 'Progressing') === waiting)
  world.remove('pod', 'user')
  await world.until('snapshot', 's', ({ readyToUse }) => readyToUse === true)
})

test('a snapshot that is not taken within its deadline fails and lets nothing hang', async () => {
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
  'deleting a snapshot with the policy $policy leaves $remaining contents',
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

test('a snapshot outlives its VM', async () => {
  world.aVm()
  await world.aSnapshot()
  world.remove('vm', 'vm1')
  expect(world.get('vm', 'vm1')).toBeUndefined()
  expect(world.status('snapshot', 's').readyToUse).toBe(true)
})

test('a VM says of each of its volumes whether snapshots can be taken of it, and why not', async () => {
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
  'an export of a $kind waits while a pod uses the volume, and is ready with links and a token afterwards',
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
