import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type GuestOrder, type GuestWorld, guestWorld } from '../support/guest-world.ts'
import { type Step } from '../../pace.ts'
import {
  type KubeAnswer,
  type KubeBody,
  type RunningSandbox,
  startSandboxProcess,
} from '../../../../test/support/sandbox/sandbox.ts'
import { type SandboxFaults, sandboxFaults } from '../../../../test/support/sandbox/faults.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { tracksOf } from '../timelines/tracks.ts'
import { type Watched, watchAll } from '../timelines/watch.ts'

/* Behaviour of a VM whose virt-launcher pod is deleted. */
let sandbox: RunningSandbox
let faults: SandboxFaults
let world: GuestWorld
let watched: Watched
let used = 0

beforeAll(async () => {
  sandbox = await startSandboxProcess(undefined, { pace: 0.1 })
  faults = sandboxFaults(sandbox)
})
beforeEach(async () => {
  world = await guestWorld(sandbox, `launchers-${(used += 1)}`)
  watched = await watchAll(sandbox, world.namespace)
  onTestFinished(() => watched.stop())
})
afterAll(() => sandbox.stop())

const name = 'web-1'
const core = (rest: string): string => `/api/v1/namespaces/${world.namespace}/${rest}`
const kubevirt = (rest: string): string =>
  `/apis/kubevirt.io/v1/namespaces/${world.namespace}/${rest}`

const podsOf = async (kind: string): Promise<string[]> =>
  (await sandbox.call(core(`pods?labelSelector=kubevirt.io%3D${kind}`))).body.items.map(
    ({ metadata }) => metadata.name,
  )
const launcher = async (): Promise<string> => (await podsOf('virt-launcher'))[0] ?? ''

const remove = (pod: string, seconds?: number): Promise<KubeAnswer> =>
  sandbox.call(
    core(`pods/${pod}${seconds === undefined ? '' : `?gracePeriodSeconds=${seconds}`}`),
    { method: 'DELETE' },
  )
const evict = (pod: string): Promise<KubeAnswer> =>
  sandbox.call(core(`pods/${pod}/eviction`), {
    method: 'POST',
    body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod } },
  })

const start = (): Promise<KubeAnswer> =>
  sandbox.call(
    `/apis/subresources.kubevirt.io/v1/namespaces/${world.namespace}/virtualmachines/${name}/start`,
    { method: 'PUT' },
  )

/** Slows down these steps by the factor, relative to a real cluster. */
async function slowly(factor: number, ...steps: Step[]): Promise<void> {
  await faults.inject('pace', { factor, steps })
  onTestFinished(async () => void (await faults.inject('pace', { factor: 0.1 })))
}

/** Holds the controller until it is released, at the latest at the end of the test. */
async function holdController(controller: string): Promise<() => Promise<unknown>> {
  await faults.inject('controllers/hold', { controller })
  const release = (): Promise<unknown> => faults.inject('controllers/release', { controller })
  onTestFinished(async () => void (await release()))
  return release
}

/** Starts the VM and waits for its agent. Returns the uid of the VMI. */
async function running(order: GuestOrder = {}): Promise<string> {
  await world.make(name, order)
  if (order.runStrategy === 'Manual') await start()
  await waitFor(() => world.isTrue(name, 'AgentConnected'), {
    what: 'the guest agent',
    timeoutMs: 10_000,
  })
  watched.events.length = 0
  return (await world.vmi(name)).uid
}

const statesOf = (kind: string): string[][] =>
  tracksOf(watched.events)
    .filter((track) => track.kind === kind)
    .map(({ states }) => states)
/** The last observed state of the first object of the kind. */
const lastOf = (kind: string): string | undefined => statesOf(kind)[0]?.at(-1)
async function runsAgain(before: string): Promise<void> {
  const isAnother = async (): Promise<boolean> =>
    !['', before].includes((await world.vmi(name)).uid)
  await waitFor(isAnother, { what: 'another VMI', timeoutMs: 10_000 })
  const runs = (): boolean =>
    lastOf('VirtualMachineInstance') === 'Running' && lastOf('VirtualMachine') === 'Running'
  await waitFor(runs, { what: 'a running VM', timeoutMs: 10_000 })
}
/**
 * Returns the distinct Ready conditions from the first one that is not True. An earlier Ready can
 * be reported late.
 */
function readiness(kind: string): string[] {
  const conditions = tracksOf(watched.events).flatMap((track) =>
    track.kind === kind ? track.conditions.map(readyIn) : [],
  )
  return [...new Set(conditions.slice(conditions.findIndex((each) => each !== 'Ready True')))]
}
const readyIn = (conditions: ReadonlySet<string>): string =>
  [...conditions].find((each) => each.startsWith('Ready ')) ?? ''

interface Vm extends KubeBody {
  status: { printableStatus: string; startFailure?: { consecutiveFailCount: number } }
}

const readVm = async (): Promise<Vm> =>
  (await sandbox.call(kubevirt(`virtualmachines/${name}`))).body as Vm

const restartedStates = [
  'Failed',
  'deleting',
  'gone',
  'made',
  'Pending',
  'Scheduling',
  'Scheduled',
  'Running',
]

describe('a VM whose pod is deleted', () => {
  test.each(['Always', 'RerunOnFailure'])(
    'a VM whose pod is deleted fails and starts again under %s',
    async (runStrategy) => {
      const before = await running({ runStrategy })
      await remove(await launcher())
      await runsAgain(before)
      expect(statesOf('VirtualMachineInstance')).toEqual([restartedStates])
      expect(statesOf('VirtualMachine')).toEqual([['Stopped', 'Starting', 'Running']])
      expect(readiness('VirtualMachineInstance').slice(0, 2)).toEqual([
        'Ready False:PodTerminating',
        'Ready False:PodNotExists',
      ])
      expect((await readVm()).status).not.toHaveProperty('startFailure')
    },
  )

  test.each(['Manual', 'Once'])(
    'a VM whose pod is deleted fails and stays stopped under %s',
    async (runStrategy) => {
      const before = await running({ runStrategy })
      await remove(await launcher())
      await waitFor(
        () =>
          lastOf('VirtualMachineInstance') === 'Failed' && lastOf('VirtualMachine') === 'Stopped',
        { what: 'the stopped VM' },
      )
      expect(await world.vmi(name)).toMatchObject({ uid: before, phase: 'Failed' })
      expect(readiness('VirtualMachineInstance')).toEqual([
        'Ready False:PodTerminating',
        'Ready False:PodNotExists',
      ])
    },
  )

  test.each([
    { how: 'gracefully', goes: remove, hears: true, states: ['deleting', 'Succeeded', 'gone'] },
    { how: 'by an eviction', goes: evict, hears: true, states: ['deleting', 'Succeeded', 'gone'] },
    {
      how: 'at once',
      goes: (pod: string) => remove(pod, 0),
      hears: false,
      states: ['deleting', 'gone'],
    },
  ])('a pod that is deleted $how stops its guest', async ({ goes, hears, states }) => {
    const before = await running()
    const pod = await launcher()
    const serial = sandbox.call(core(`pods/${pod}/log?container=guest-console-log&follow=true`))
    expect((await goes(pod)).status).toBeLessThan(300)
    expect((await serial).text.includes('Power down')).toBe(hears)
    await runsAgain(before)
    expect(statesOf('Pod')[0]).toEqual(states)
    expect(statesOf('VirtualMachineInstance')).toEqual([restartedStates])
  })

  test('a VMI fails when virt-handler reconciles it between the end of its guest and of its pod', async () => {
    await slowly(100, 'podStop')
    const before = await running()
    await remove(await launcher())
    await waitFor(() => lastOf('Pod') === 'Succeeded', { what: 'the end of the guest' })
    const headers = { 'content-type': 'application/merge-patch+json' }
    const body = { metadata: { labels: { seen: 'now' } } }
    await sandbox.call(kubevirt(`virtualmachineinstances/${name}`), {
      method: 'PATCH',
      headers,
      body,
    })
    await faults.inject('clock/advance', { ms: 40_000 })
    await runsAgain(before)
    expect(statesOf('VirtualMachineInstance')).toEqual([restartedStates])
  })
})

describe('a paused VM whose pod is deleted', () => {
  const pauseAndDelete = async (): Promise<string> => {
    const before = await running()
    await world.sub(name, 'pause', 'PUT')
    await waitFor(async () => (await readVm()).status.printableStatus === 'Paused', {
      what: 'the paused VM',
    })
    await remove(await launcher())
    await waitFor(() => readiness('VirtualMachine').includes('Ready False:PodTerminating'), {
      what: 'the condition PodTerminating',
    })
    return before
  }

  test('a paused guest ignores the deletion of its pod and is killed after the grace period', async () => {
    const before = await pauseAndDelete()
    await faults.inject('clock/advance', { ms: 20_000 })
    expect(await world.vmi(name)).toMatchObject({ uid: before, phase: 'Running' })
    await faults.inject('clock/advance', { ms: 10_000 })
    await runsAgain(before)
    expect(statesOf('VirtualMachineInstance')).toEqual([restartedStates])
  })

  test('a paused guest whose pod is deleted shuts down when it is unpaused', async () => {
    const before = await pauseAndDelete()
    await world.sub(name, 'unpause', 'PUT')
    await runsAgain(before)
  })
})

describe('a VM whose pod is deleted before it runs', () => {
  test('a VMI fails when its pod is deleted before it was ready', async () => {
    await holdController('kubelet')
    await world.make(name)
    await waitFor(async () => (await world.vmi(name)).phase === 'Scheduling', { what: 'the pod' })
    await waitFor(() => isScheduled(), { what: 'the scheduled pod' })
    await remove(await launcher())
    await waitFor(async () => (await world.vmi(name)).phase === 'Failed', { what: 'a failed VMI' })
    expect(await podsOf('virt-launcher')).toHaveLength(1)
  })

  test('a VM whose pod is deleted before the start counts a start failure and retries later', async () => {
    await slowly(100, 'podStop')
    await slowly(1_000, 'startAgain')
    const release = await holdController('virt-handler')
    await world.make(name)
    await waitFor(async () => (await world.vmi(name)).phase === 'Scheduled', {
      what: 'the scheduled pod',
    })
    await remove(await launcher())
    await release()
    await waitFor(() => lastOf('Pod') === 'Succeeded', { what: 'the end of the launcher' })
    await faults.inject('clock/advance', { ms: 40_000 })
    await waitFor(() => lastOf('VirtualMachine') === 'CrashLoopBackOff', {
      what: 'the start failure',
    })
    expect(statesOf('VirtualMachineInstance')[0]).not.toContain('Running')
    expect((await readVm()).status.startFailure).toMatchObject({ consecutiveFailCount: 1 })
  })

  const isScheduled = async (): Promise<boolean> => {
    const { spec } = (await sandbox.call(core(`pods/${await launcher()}`))).body as {
      spec?: { nodeName?: string }
    }
    return spec?.nodeName !== undefined
  }
})

describe('a migrating VM', () => {
  /** Starts a migration that does not complete by itself. Returns the pods of both nodes. */
  async function startMigration(): Promise<{ before: string; source: string; target: string }> {
    await slowly(20, 'migrationCopy')
    const before = await running()
    const source = await launcher()
    await waitFor(() => world.isTrue(name, 'LiveMigratable'), { what: 'a migratable VM' })
    const order = {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstanceMigration',
      metadata: { name: 'move' },
      spec: { vmiName: name },
    }
    await sandbox.call(kubevirt('virtualmachineinstancemigrations'), {
      method: 'POST',
      body: order,
    })
    await waitFor(async () => (await readVm()).status.printableStatus === 'Migrating', {
      what: 'the state Migrating',
      timeoutMs: 10_000,
    })
    const target = (await podsOf('virt-launcher')).find((pod) => pod !== source) ?? ''
    return { before, source, target }
  }

  const failed = (): boolean =>
    statesOf('VirtualMachineInstanceMigration')[0]?.includes('Failed') === true

  test('a migrating VMI ends on its node when the source pod is deleted', async () => {
    const { before, source } = await startMigration()
    await slowly(100, 'guestStop')
    await remove(source)
    await waitFor(
      () => readiness('VirtualMachineInstance').includes('Ready False:PodTerminating'),
      { what: 'the condition PodTerminating' },
    )
    // Enough time for the migration, and then for the shutdown.
    await faults.inject('clock/advance', { ms: 50_000 })
    expect(await world.vmi(name)).toMatchObject({ uid: before, phase: 'Running' })
    expect(failed()).toBe(false)
    await faults.inject('clock/advance', { ms: 12_000 })
    await runsAgain(before)
    expect(failed()).toBe(true)
    expect(statesOf('VirtualMachineInstance')).toEqual([restartedStates])
    await waitFor(async () => (await podsOf('virt-launcher')).length === 1, {
      what: 'deletion of the old pods',
    })
  })

  test('a migrating VMI stays on its node when the target pod is deleted', async () => {
    const { before, source, target } = await startMigration()
    await remove(target)
    await waitFor(failed, { what: 'the failed migration' })
    await waitFor(async () => (await podsOf('virt-launcher')).length === 1, {
      what: 'deletion of the target pod',
    })
    expect(await podsOf('virt-launcher')).toEqual([source])
    expect(await world.vmi(name)).toMatchObject({ uid: before, phase: 'Running' })
  })
})

describe('a hotplugged volume', () => {
  const vmWithDisk: GuestOrder = {
    disks: [{ name: 'data', disk: { bus: 'scsi' } }],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data', hotpluggable: true } }],
  }

  interface VolumeStatuses {
    volumeStatus?: { name: string; phase?: string; hotplugVolume?: { attachPodName: string } }[]
  }

  /** The pod that attaches the ready volume. Empty while the volume is not ready. */
  async function volumePod(): Promise<string> {
    // The cast holds because these are volume fields of KubeVirt.
    const { volumeStatus = [] } = (await world.vmi(name)).status as VolumeStatuses
    const found = volumeStatus.find((volume) => volume.name === 'data')
    return found?.phase === 'Ready' ? (found.hotplugVolume?.attachPodName ?? '') : ''
  }

  beforeEach(async () => {
    const spec = {
      accessModes: ['ReadWriteMany'],
      storageClassName: 'fast',
      resources: { requests: { storage: '1Gi' } },
    }
    const body = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data' },
      spec,
    }
    await sandbox.call(core('persistentvolumeclaims'), { method: 'POST', body })
  })

  test('a hotplugged volume is detached with the pod of its VM and attached to the next one', async () => {
    const before = await running(vmWithDisk)
    await waitFor(async () => (await volumePod()) !== '', { what: 'the volume', timeoutMs: 10_000 })
    const first = await volumePod()
    await remove(await launcher())
    await runsAgain(before)
    await waitFor(async () => !['', first].includes(await volumePod()), {
      what: 'the attached volume',
      timeoutMs: 10_000,
    })
    expect(await podsOf('hotplug-disk')).toEqual([await volumePod()])
  })

  test('a hotplugged volume gets another attachment pod while the VM runs', async () => {
    const before = await running(vmWithDisk)
    await waitFor(async () => (await volumePod()) !== '', { what: 'the volume', timeoutMs: 10_000 })
    const first = await volumePod()
    await remove(first)
    await waitFor(async () => !['', first].includes(await volumePod()), { what: 'another pod' })
    expect(await world.vmi(name)).toMatchObject({ uid: before, phase: 'Running' })
  })
})
