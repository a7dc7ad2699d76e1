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

/* What becomes of a machine whose pod goes. */
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

/** Takes so many times as long as a real cluster does for these steps. */
async function slowly(factor: number, ...steps: Step[]): Promise<void> {
  await faults.order('pace', { factor, steps })
  onTestFinished(async () => void (await faults.order('pace', { factor: 0.1 })))
}

/** Stands still until it is let go, at the end of the test at the latest. */
async function held(controller: string): Promise<() => Promise<unknown>> {
  await faults.order('controllers/hold', { controller })
  const letGo = (): Promise<unknown> => faults.order('controllers/release', { controller })
  onTestFinished(async () => void (await letGo()))
  return letGo
}

/** Runs, and its agent answers; the uid of what runs. */
async function running(order: GuestOrder = {}): Promise<string> {
  await world.make(name, order)
  if (order.runStrategy === 'Manual') await start()
  await waitFor(() => world.isTrue(name, 'AgentConnected'), {
    what: 'its agent',
    timeoutMs: 10_000,
  })
  watched.events.length = 0
  return (await world.vmi(name)).uid
}

const statesOf = (kind: string): string[][] =>
  tracksOf(watched.events)
    .filter((track) => track.kind === kind)
    .map(({ states }) => states)
/** The last that a watch told of the first of the kind. */
const lastOf = (kind: string): string | undefined => statesOf(kind)[0]?.at(-1)
async function runsAgain(before: string): Promise<void> {
  const isAnother = async (): Promise<boolean> =>
    !['', before].includes((await world.vmi(name)).uid)
  await waitFor(isAnother, { what: 'another instance', timeoutMs: 10_000 })
  const runs = (): boolean =>
    lastOf('VirtualMachineInstance') === 'Running' && lastOf('VirtualMachine') === 'Running'
  await waitFor(runs, { what: 'it to run again', timeoutMs: 10_000 })
}
/** From when on it was no longer ready: that it was may be told late. */
function readiness(kind: string): string[] {
  const told = tracksOf(watched.events).flatMap((track) =>
    track.kind === kind ? track.conditions.map(readyIn) : [],
  )
  return [...new Set(told.slice(told.findIndex((each) => each !== 'Ready True')))]
}
const readyIn = (conditions: ReadonlySet<string>): string =>
  [...conditions].find((each) => each.startsWith('Ready ')) ?? ''

interface Machine extends KubeBody {
  status: { printableStatus: string; startFailure?: { consecutiveFailCount: number } }
}

const machine = async (): Promise<Machine> =>
  (await sandbox.call(kubevirt(`virtualmachines/${name}`))).body as Machine

const back = ['Failed', 'deleting', 'gone', 'made', 'Pending', 'Scheduling', 'Scheduled', 'Running']

describe('a machine whose pod goes', () => {
  test.each(['Always', 'RerunOnFailure'])(
    'fails with it, and comes back under %s',
    async (runStrategy) => {
      const before = await running({ runStrategy })
      await remove(await launcher())
      await runsAgain(before)
      expect(statesOf('VirtualMachineInstance')).toEqual([back])
      expect(statesOf('VirtualMachine')).toEqual([['Stopped', 'Starting', 'Running']])
      expect(readiness('VirtualMachineInstance').slice(0, 2)).toEqual([
        'Ready False:PodTerminating',
        'Ready False:PodNotExists',
      ])
      expect((await machine()).status).not.toHaveProperty('startFailure')
    },
  )

  test.each(['Manual', 'Once'])(
    'fails with it, and is left as it ended under %s',
    async (runStrategy) => {
      const before = await running({ runStrategy })
      await remove(await launcher())
      await waitFor(
        () =>
          lastOf('VirtualMachineInstance') === 'Failed' && lastOf('VirtualMachine') === 'Stopped',
        { what: 'its end' },
      )
      expect(await world.vmi(name)).toMatchObject({ uid: before, phase: 'Failed' })
      expect(readiness('VirtualMachineInstance')).toEqual([
        'Ready False:PodTerminating',
        'Ready False:PodNotExists',
      ])
    },
  )

  test.each([
    { way: 'politely', goes: remove, hears: true, states: ['deleting', 'Succeeded', 'gone'] },
    { way: 'by an eviction', goes: evict, hears: true, states: ['deleting', 'Succeeded', 'gone'] },
    {
      way: 'at once',
      goes: (pod: string) => remove(pod, 0),
      hears: false,
      states: ['deleting', 'gone'],
    },
  ])('$way takes its guest down with it', async ({ goes, hears, states }) => {
    const before = await running()
    const pod = await launcher()
    const serial = sandbox.call(core(`pods/${pod}/log?container=guest-console-log&follow=true`))
    expect((await goes(pod)).status).toBeLessThan(300)
    expect((await serial).text.includes('Power down')).toBe(hears)
    await runsAgain(before)
    expect(statesOf('Pod')[0]).toEqual(states)
    expect(statesOf('VirtualMachineInstance')).toEqual([back])
  })

  test('fails also when its node looks at it between the end of its guest and that of its pod', async () => {
    await slowly(100, 'podStop')
    const before = await running()
    await remove(await launcher())
    await waitFor(() => lastOf('Pod') === 'Succeeded', { what: 'the end of its guest' })
    const headers = { 'content-type': 'application/merge-patch+json' }
    const body = { metadata: { labels: { seen: 'now' } } }
    await sandbox.call(kubevirt(`virtualmachineinstances/${name}`), {
      method: 'PATCH',
      headers,
      body,
    })
    await faults.order('clock/advance', { ms: 40_000 })
    await runsAgain(before)
    expect(statesOf('VirtualMachineInstance')).toEqual([back])
  })
})

describe('a paused machine whose pod is deleted', () => {
  const pausedIn = async (): Promise<string> => {
    const before = await running()
    await world.sub(name, 'pause', 'PUT')
    await waitFor(async () => (await machine()).status.printableStatus === 'Paused', {
      what: 'it to be paused',
    })
    await remove(await launcher())
    await waitFor(() => readiness('VirtualMachine').includes('Ready False:PodTerminating'), {
      what: 'the news of its pod',
    })
    return before
  }

  test('hears nothing of it, and loses its power when its time is over', async () => {
    const before = await pausedIn()
    await faults.order('clock/advance', { ms: 20_000 })
    expect(await world.vmi(name)).toMatchObject({ uid: before, phase: 'Running' })
    await faults.order('clock/advance', { ms: 10_000 })
    await runsAgain(before)
    expect(statesOf('VirtualMachineInstance')).toEqual([back])
  })

  test('goes down as soon as it goes on', async () => {
    const before = await pausedIn()
    await world.sub(name, 'unpause', 'PUT')
    await runsAgain(before)
  })
})

describe('a machine whose pod is deleted before it runs', () => {
  test('has failed as soon as a pod goes that was never ready', async () => {
    await held('kubelet')
    await world.make(name)
    await waitFor(async () => (await world.vmi(name)).phase === 'Scheduling', { what: 'its pod' })
    await waitFor(() => placed(), { what: 'its node' })
    await remove(await launcher())
    await waitFor(async () => (await world.vmi(name)).phase === 'Failed', { what: 'it to fail' })
    expect(await podsOf('virt-launcher')).toHaveLength(1)
  })

  test('has failed to start, and is tried again later', async () => {
    await slowly(100, 'podStop')
    await slowly(1_000, 'startAgain')
    const letGo = await held('virt-handler')
    await world.make(name)
    await waitFor(async () => (await world.vmi(name)).phase === 'Scheduled', { what: 'its node' })
    await remove(await launcher())
    await letGo()
    await waitFor(() => lastOf('Pod') === 'Succeeded', { what: 'the end of its launcher' })
    await faults.order('clock/advance', { ms: 40_000 })
    await waitFor(() => lastOf('VirtualMachine') === 'CrashLoopBackOff', { what: 'the next try' })
    expect(statesOf('VirtualMachineInstance')[0]).not.toContain('Running')
    expect((await machine()).status.startFailure).toMatchObject({ consecutiveFailCount: 1 })
  })

  const placed = async (): Promise<boolean> => {
    const { spec } = (await sandbox.call(core(`pods/${await launcher()}`))).body as {
      spec?: { nodeName?: string }
    }
    return spec?.nodeName !== undefined
  }
})

describe('a machine on its way to another node', () => {
  /** Between two nodes, where it stays until something happens; the pods of both. */
  async function moving(): Promise<{ before: string; source: string; target: string }> {
    await slowly(20, 'migrationCopy')
    const before = await running()
    const source = await launcher()
    await waitFor(() => world.isTrue(name, 'LiveMigratable'), { what: 'it to be able to move' })
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
    await waitFor(async () => (await machine()).status.printableStatus === 'Migrating', {
      what: 'it to move',
      timeoutMs: 10_000,
    })
    const target = (await podsOf('virt-launcher')).find((pod) => pod !== source) ?? ''
    return { before, source, target }
  }

  const failed = (): boolean =>
    statesOf('VirtualMachineInstanceMigration')[0]?.includes('Failed') === true

  test('ends where it is when the pod goes that it leaves', async () => {
    const { before, source } = await moving()
    await slowly(100, 'guestStop')
    await remove(source)
    await waitFor(
      () => readiness('VirtualMachineInstance').includes('Ready False:PodTerminating'),
      { what: 'the news of its pod' },
    )
    // Time enough to get away, and then for its end.
    await faults.order('clock/advance', { ms: 50_000 })
    expect(await world.vmi(name)).toMatchObject({ uid: before, phase: 'Running' })
    expect(failed()).toBe(false)
    await faults.order('clock/advance', { ms: 12_000 })
    await runsAgain(before)
    expect(failed()).toBe(true)
    expect(statesOf('VirtualMachineInstance')).toEqual([back])
    await waitFor(async () => (await podsOf('virt-launcher')).length === 1, {
      what: 'the pods of before to be gone',
    })
  })

  test('stays where it is when the pod goes that it moves to', async () => {
    const { before, source, target } = await moving()
    await remove(target)
    await waitFor(failed, { what: 'the move to fail' })
    await waitFor(async () => (await podsOf('virt-launcher')).length === 1, {
      what: 'the other pod to be gone',
    })
    expect(await podsOf('virt-launcher')).toEqual([source])
    expect(await world.vmi(name)).toMatchObject({ uid: before, phase: 'Running' })
  })
})

describe('a volume that is plugged into a machine', () => {
  const plugged: GuestOrder = {
    disks: [{ name: 'data', disk: { bus: 'scsi' } }],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data', hotpluggable: true } }],
  }

  interface Plugged {
    volumeStatus?: { name: string; phase?: string; hotplugVolume?: { attachPodName: string } }[]
  }

  /** By which pod it is ready in the guest; empty as long as it is not. */
  async function carrier(): Promise<string> {
    // What is read of it is what KubeVirt says of volumes.
    const { volumeStatus = [] } = (await world.vmi(name)).status as Plugged
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

  test('goes with the pod of its machine, and comes back with the next one', async () => {
    const before = await running(plugged)
    await waitFor(async () => (await carrier()) !== '', { what: 'the volume', timeoutMs: 10_000 })
    const first = await carrier()
    await remove(await launcher())
    await runsAgain(before)
    await waitFor(async () => !['', first].includes(await carrier()), {
      what: 'the volume again',
      timeoutMs: 10_000,
    })
    expect(await podsOf('hotplug-disk')).toEqual([await carrier()])
  })

  test('gets another pod beside the machine, which runs on, when its own is deleted', async () => {
    const before = await running(plugged)
    await waitFor(async () => (await carrier()) !== '', { what: 'the volume', timeoutMs: 10_000 })
    const first = await carrier()
    await remove(first)
    await waitFor(async () => !['', first].includes(await carrier()), { what: 'another pod' })
    expect(await world.vmi(name)).toMatchObject({ uid: before, phase: 'Running' })
  })
})
