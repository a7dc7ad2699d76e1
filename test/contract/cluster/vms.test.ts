import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Cluster } from '../../../server/src/cluster/kubevirt-cluster.ts'
import {
  type ChangedObject,
  type WatchedKind,
} from '../../../server/src/engine/kube/watch/watch.ts'
import { type ObservedVm } from '../../../server/src/domain/vm/observed.ts'
import { gatewayTo } from '../../support/cluster/gateway.ts'
import { type RunningSandbox, startSandboxProcess } from '../../support/sandbox/sandbox.ts'
import { waitFor } from '../../support/wait-for.ts'
import { aDesiredVm } from '../../support/cluster/desired-objects.ts'

/* VMs through the gateway: their observed state, power commands and change notifications. */
let sandbox: RunningSandbox
let cluster: Cluster
const tenantId = randomUUID()
const namespace = 'vms'

beforeAll(async () => {
  sandbox = await startSandboxProcess()
  cluster = gatewayTo(sandbox)
  await cluster.writer.applyNamespace({ name: namespace, tenantId, rowId: tenantId, uid: null })
})
afterAll(async () => {
  await cluster.close()
  await sandbox.stop()
})

type VmShape = Parameters<typeof aDesiredVm>[0]

async function make(name: string, shape: VmShape = {}) {
  const rowId = randomUUID()
  const desired = { noun: 'vm' as const, namespace, name, tenantId, rowId, spec: aDesiredVm(shape) }
  const { uid } = await cluster.writer.applyObject({ ...desired, uid: null })
  const ref = { namespace, name }
  return {
    ...ref,
    rowId,
    uid,
    change: (different: VmShape) =>
      cluster.writer.applyObject({ ...desired, uid, spec: aDesiredVm({ ...shape, ...different }) }),
    read: () => cluster.reader.getVm(ref),
    async until(
      condition: string,
      isMet: (observed: ObservedVm | null) => boolean,
    ): Promise<ObservedVm> {
      let observed: ObservedVm | null = null
      await waitFor(async () => isMet((observed = await cluster.reader.getVm(ref))), {
        what: `${name} ${condition}`,
        timeoutMs: 10_000,
      })
      return observed ?? expect.unreachable()
    },
  }
}
const isRunning = (observed: ObservedVm | null): boolean =>
  observed?.vmi?.phase === 'Running' && observed.printableStatus === 'Running'

test('a running VM is observed with its VMI, its addresses and its guest', async () => {
  const vm = await make('all-there')
  await vm.until('to run', isRunning)
  const observed = await vm.until(
    'to have an agent',
    (each) => each?.vmi?.agentConnected === true && each.ready,
  )
  expect(observed).toMatchObject({
    namespace,
    name: 'all-there',
    uid: vm.uid,
    tenantId,
    rowId: vm.rowId,
    runStrategy: 'RerunOnFailure',
    followedRunStrategy: 'RerunOnFailure',
    queued: [],
    created: true,
    conditions: { failure: null, restartRequired: null, manualRecovery: null },
    disks: [],
    launcher: null,
  })
  expect(observed.vmiVersion).toMatch(/^\d+$/)
  expect(observed.vmi).toMatchObject({
    isDeleting: false,
    nodeLost: false,
    paused: null,
    isMigrating: false,
    notReady: null,
  })
  expect(observed.vmi?.addresses).toEqual([
    {
      name: 'net0',
      ip: expect.stringMatching(/^\d+\./),
      mac: '02:00:00:00:00:01',
      inGuest: true,
      agentIps: [expect.stringMatching(/^\d+\./)],
    },
  ])
  expect(Date.parse(observed.vmi?.startedAt ?? '')).not.toBeNaN()
  expect(observed.vmi?.guestOs).toMatch(/\w/)
})

test('a missing VM reads as null, and a VM that never started has no VMI', async () => {
  expect(await cluster.reader.getVm({ namespace, name: 'absent' })).toBeNull()
  const vm = await make('asleep', { power: 'off' })
  const observed = await vm.until('to be stopped', (each) => each?.printableStatus === 'Stopped')
  expect(observed).toMatchObject({
    created: false,
    ready: false,
    vmi: null,
    vmiVersion: null,
    followedRunStrategy: null,
  })
})

test('a VM reports the disk whose volume does not exist', async () => {
  const disk = {
    kind: 'disk' as const,
    name: 'data',
    volume: 'nowhere',
    bus: 'virtio' as const,
    serial: 'data',
    hotpluggable: false,
  }
  const vm = await make('diskless', { disks: [disk] })
  const observed = await vm.until(
    'to miss it',
    (each) => each?.printableStatus === 'ErrorPvcNotFound',
  )
  expect(observed.disks).toMatchObject([{ name: 'data', volume: 'nowhere', state: 'missing' }])
})

test('the lists of VMs and VMIs give the fields that a full pass needs, page by page', async () => {
  const vm = await make('listed')
  await vm.until('to run', isRunning)
  const first = await cluster.reader.listVms({ limit: 1, after: null })
  expect(first.items).toHaveLength(1)
  const rest = await cluster.reader.listVms({ limit: 500, after: first.after })
  const vms = [...first.items, ...rest.items]
  expect(vms.find(({ uid }) => uid === vm.uid)).toMatchObject({
    namespace,
    name: 'listed',
    tenantId,
    rowId: vm.rowId,
    printableStatus: 'Running',
    runStrategy: 'RerunOnFailure',
  })
  const { items } = await cluster.reader.listInstances({ limit: 500, after: null })
  expect(items.find(({ name }) => name === 'listed')).toMatchObject({
    tenantId,
    rowId: vm.rowId,
    phase: 'Running',
    isDeleting: false,
  })
})

test.each<WatchedKind>(['vm', 'instance'])(
  'a change of each %s notifies with the ids of its row',
  async (noun) => {
    const received: ChangedObject[] = []
    const watch = cluster.watch(noun, (object) => received.push(object))
    onTestFinished(() => watch.stop())
    const vm = await make(`notifies-${noun}`)
    const notifications = (): ChangedObject[] => received.filter(({ rowId }) => rowId === vm.rowId)
    await waitFor(() => notifications().length > 0, {
      what: 'the first notification',
      timeoutMs: 10_000,
    })
    expect(notifications()[0]).toEqual({
      namespace,
      name: vm.name,
      uid: expect.any(String),
      tenantId,
      rowId: vm.rowId,
    })
    await vm.until('to run', isRunning)
    const before = notifications().length
    await cluster.writer.deleteObject('vm', vm, vm.uid)
    await waitFor(() => notifications().length > before, {
      what: 'the notification of the deletion',
      timeoutMs: 10_000,
    })
  },
)

const instanceUidOf = (observed: ObservedVm): string => observed.vmi?.uid ?? expect.unreachable()

test('a VMI pauses and resumes, and a repeated command changes nothing', async () => {
  const vm = await make('pauses')
  const target = { uid: vm.uid, instanceUid: instanceUidOf(await vm.until('to run', isRunning)) }
  expect(await cluster.writer.powerVm(vm, 'pause', target)).toBe('accepted')
  expect(
    (await vm.until('to pause', (observed) => Boolean(observed?.vmi?.paused))).vmi?.paused?.reason,
  ).toBe('PausedByUser')
  expect(await cluster.writer.powerVm(vm, 'pause', target)).toBe('settled')
  expect(await cluster.writer.powerVm(vm, 'resume', target)).toBe('accepted')
  await vm.until('to go on', (observed) => observed?.vmi?.paused === null)
  expect(await cluster.writer.powerVm(vm, 'resume', target)).toBe('settled')
})

test('a restart ends only the targeted VMI', async () => {
  const vm = await make('restarts', { graceSeconds: 1 })
  const target = { uid: vm.uid, instanceUid: instanceUidOf(await vm.until('to run', isRunning)) }
  expect(await cluster.writer.powerVm(vm, 'forceRestart', target)).toBe('accepted')
  const next = await vm.until(
    'to run again',
    (observed) => isRunning(observed) && observed?.vmi?.uid !== target.instanceUid,
  )
  // The first answer was lost, so the command is repeated. It must not restart the new VMI.
  expect(await cluster.writer.powerVm(vm, 'forceRestart', target)).toBe('settled')
  expect(await cluster.writer.powerVm(vm, 'restart', target)).toBe('settled')
  expect((await vm.read())?.vmi?.uid).toBe(next.vmi?.uid)
})

test('a force stop turns off a VM that is slow to shut down', async () => {
  const vm = await make('lingers', { graceSeconds: 3600 })
  const target = { uid: vm.uid, instanceUid: instanceUidOf(await vm.until('to run', isRunning)) }
  await vm.change({ power: 'off' })
  expect(await cluster.writer.powerVm(vm, 'forceStop', target)).toMatch(/accepted|settled/)
  await vm.until(
    'to be off',
    (observed) => observed?.vmi === null && observed.printableStatus === 'Stopped',
  )
  expect(await cluster.writer.powerVm(vm, 'forceStop', target)).toBe('settled')
})

test('a start changes nothing while a VMI exists, and starts a VM that shut itself down', async () => {
  const vm = await make('starts')
  const observed = await vm.until('to run', isRunning)
  expect(await cluster.writer.powerVm(vm, 'start', { uid: vm.uid, instanceUid: null })).toBe(
    'settled',
  )
  await cluster.writer.powerVm(vm, 'forceStop', {
    uid: vm.uid,
    instanceUid: instanceUidOf(observed),
  })
  await vm.until(
    'to be off',
    (each) => each?.vmi === null && each.printableStatus === 'Stopped' && each.queued.length === 0,
  )
  expect(await cluster.writer.powerVm(vm, 'start', { uid: vm.uid, instanceUid: null })).toBe(
    'accepted',
  )
  const again = await vm.until('to run again', isRunning)
  expect(again.vmi?.uid).not.toBe(observed.vmi?.uid)
  expect(again.runStrategy).toBe('RerunOnFailure')
})

test('a power command is rejected when its VM is gone or has been replaced', async () => {
  const vm = await make('meant')
  const restart = (name: string, uid: string) =>
    cluster.writer.powerVm({ namespace, name }, 'restart', { uid, instanceUid: null })
  await expect(restart('absent', vm.uid)).rejects.toMatchObject({ trouble: 'gone' })
  await expect(restart('meant', randomUUID())).rejects.toMatchObject({ trouble: 'uid_mismatch' })
})
