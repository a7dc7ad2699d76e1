import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Cluster } from '../../../server/src/cluster/kubevirt-cluster.ts'
import {
  type ChangedObject,
  type WatchedKind,
} from '../../../server/src/engine/kube/watch/watch.ts'
import { type SeenVm } from '../../../server/src/domain/vm/seen.ts'
import { gatewayTo } from '../../support/cluster/gateway.ts'
import { type RunningSandbox, startSandboxProcess } from '../../support/sandbox/sandbox.ts'
import { waitFor } from '../../support/wait-for.ts'
import { aWantedVm } from '../../support/cluster/desired-objects.ts'

/* VMs as the gateway sees them, moves them and hears of them. */
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

type VmShape = Parameters<typeof aWantedVm>[0]

async function make(name: string, shape: VmShape = {}) {
  const rowId = randomUUID()
  const wanted = { noun: 'vm' as const, namespace, name, tenantId, rowId, as: aWantedVm(shape) }
  const { uid } = await cluster.writer.applyObject({ ...wanted, uid: null })
  const ref = { namespace, name }
  return {
    ...ref,
    rowId,
    uid,
    change: (different: VmShape) =>
      cluster.writer.applyObject({ ...wanted, uid, as: aWantedVm({ ...shape, ...different }) }),
    look: () => cluster.reader.getVm(ref),
    async until(what: string, isSo: (seen: SeenVm | null) => boolean): Promise<SeenVm> {
      let seen: SeenVm | null = null
      await waitFor(async () => isSo((seen = await cluster.reader.getVm(ref))), {
        what: `${name} ${what}`,
        timeoutMs: 10_000,
      })
      return seen ?? expect.unreachable()
    },
  }
}
const isRunning = (seen: SeenVm | null): boolean =>
  seen?.instance?.phase === 'Running' && seen.printableStatus === 'Running'

test('a VM that runs is seen with its run, its addresses and its guest', async () => {
  const vm = await make('all-there')
  await vm.until('to run', isRunning)
  const seen = await vm.until(
    'to have an agent',
    (each) => each?.instance?.agentConnected === true && each.ready,
  )
  expect(seen).toMatchObject({
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
  expect(seen.instanceVersion).toMatch(/^\d+$/)
  expect(seen.instance).toMatchObject({
    isDeleting: false,
    nodeLost: false,
    paused: null,
    isMigrating: false,
    notReady: null,
  })
  expect(seen.instance?.addresses).toEqual([
    { name: 'net0', ip: expect.stringMatching(/^\d+\./), mac: '02:00:00:00:00:01', inGuest: true },
  ])
  expect(Date.parse(seen.instance?.startedAt ?? '')).not.toBeNaN()
  expect(seen.instance?.guestOs).toMatch(/\w/)
})

test('a VM that is not there is null, and one that was never started has no run', async () => {
  expect(await cluster.reader.getVm({ namespace, name: 'nobody' })).toBeNull()
  const vm = await make('asleep', { power: 'off' })
  const seen = await vm.until('to be looked at', (each) => each?.printableStatus === 'Stopped')
  expect(seen).toMatchObject({
    created: false,
    ready: false,
    instance: null,
    instanceVersion: null,
    followedRunStrategy: null,
  })
})

test('a VM whose volume does not exist names the disk', async () => {
  const disk = {
    kind: 'disk' as const,
    name: 'data',
    volume: 'nowhere',
    bus: 'virtio' as const,
    serial: 'data',
    hotpluggable: false,
  }
  const vm = await make('diskless', { disks: [disk] })
  const seen = await vm.until('to miss it', (each) => each?.printableStatus === 'ErrorPvcNotFound')
  expect(seen.disks).toMatchObject([{ name: 'data', volume: 'nowhere', state: 'missing' }])
})

test('lists give what a full pass needs, page by page', async () => {
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
  'changes of each %s ring with the ids of its row',
  async (noun) => {
    const heard: ChangedObject[] = []
    const watch = cluster.watch(noun, (object) => heard.push(object))
    onTestFinished(() => watch.stop())
    const vm = await make(`rings-${noun}`)
    const rings = (): ChangedObject[] => heard.filter(({ rowId }) => rowId === vm.rowId)
    await waitFor(() => rings().length > 0, { what: 'the first ring', timeoutMs: 10_000 })
    expect(rings()[0]).toEqual({
      namespace,
      name: vm.name,
      uid: expect.any(String),
      tenantId,
      rowId: vm.rowId,
    })
    await vm.until('to run', isRunning)
    const before = rings().length
    await cluster.writer.deleteObject('vm', vm, vm.uid)
    await waitFor(() => rings().length > before, { what: 'the ring of the end', timeoutMs: 10_000 })
  },
)

const instanceUidOf = (seen: SeenVm): string => seen.instance?.uid ?? expect.unreachable()

test('a run is paused and resumed, and doing so twice changes nothing', async () => {
  const vm = await make('pauses')
  const meant = { uid: vm.uid, instanceUid: instanceUidOf(await vm.until('to run', isRunning)) }
  expect(await cluster.writer.powerVm(vm, 'pause', meant)).toBe('accepted')
  expect(
    (await vm.until('to pause', (seen) => Boolean(seen?.instance?.paused))).instance?.paused
      ?.reason,
  ).toBe('PausedByUser')
  expect(await cluster.writer.powerVm(vm, 'pause', meant)).toBe('settled')
  expect(await cluster.writer.powerVm(vm, 'resume', meant)).toBe('accepted')
  await vm.until('to go on', (seen) => seen?.instance?.paused === null)
  expect(await cluster.writer.powerVm(vm, 'resume', meant)).toBe('settled')
})

test('a restart ends the run that was meant, once', async () => {
  const vm = await make('restarts', { graceSeconds: 1 })
  const meant = { uid: vm.uid, instanceUid: instanceUidOf(await vm.until('to run', isRunning)) }
  expect(await cluster.writer.powerVm(vm, 'forceRestart', meant)).toBe('accepted')
  const next = await vm.until(
    'to run again',
    (seen) => isRunning(seen) && seen?.instance?.uid !== meant.instanceUid,
  )
  // The answer was lost and the order is given again: the new run is not the one that was meant.
  expect(await cluster.writer.powerVm(vm, 'forceRestart', meant)).toBe('settled')
  expect(await cluster.writer.powerVm(vm, 'restart', meant)).toBe('settled')
  expect((await vm.look())?.instance?.uid).toBe(next.instance?.uid)
})

test('a VM that takes its time to stop is switched off by force', async () => {
  const vm = await make('lingers', { graceSeconds: 3600 })
  const meant = { uid: vm.uid, instanceUid: instanceUidOf(await vm.until('to run', isRunning)) }
  await vm.change({ power: 'off' })
  expect(await cluster.writer.powerVm(vm, 'forceStop', meant)).toMatch(/accepted|settled/)
  await vm.until(
    'to be off',
    (seen) => seen?.instance === null && seen.printableStatus === 'Stopped',
  )
  expect(await cluster.writer.powerVm(vm, 'forceStop', meant)).toBe('settled')
})

test('a start comes to nothing where something runs, and wakes a VM that shut itself down', async () => {
  const vm = await make('wakes')
  const seen = await vm.until('to run', isRunning)
  expect(await cluster.writer.powerVm(vm, 'start', { uid: vm.uid, instanceUid: null })).toBe(
    'settled',
  )
  await cluster.writer.powerVm(vm, 'forceStop', { uid: vm.uid, instanceUid: instanceUidOf(seen) })
  await vm.until(
    'to be off',
    (each) =>
      each?.instance === null && each.printableStatus === 'Stopped' && each.queued.length === 0,
  )
  expect(await cluster.writer.powerVm(vm, 'start', { uid: vm.uid, instanceUid: null })).toBe(
    'accepted',
  )
  const again = await vm.until('to run again', isRunning)
  expect(again.instance?.uid).not.toBe(seen.instance?.uid)
  expect(again.runStrategy).toBe('RerunOnFailure')
})

test('an order for a VM that is gone, or another one by now, is not given', async () => {
  const vm = await make('meant')
  const order = (name: string, uid: string) =>
    cluster.writer.powerVm({ namespace, name }, 'restart', { uid, instanceUid: null })
  await expect(order('nobody', vm.uid)).rejects.toMatchObject({ trouble: 'gone' })
  await expect(order('meant', randomUUID())).rejects.toMatchObject({ trouble: 'uid_mismatch' })
})
