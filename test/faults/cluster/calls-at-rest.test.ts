import { beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { tenantObjectNames } from '../../../server/src/domain/tenant/object-names.ts'
import { vmActions } from '../../support/actions/vm-actions.ts'
import { advancedClock } from '../../support/advanced-clock.ts'
import { sentCalls } from '../../support/cluster/sent-calls.ts'
import { type SandboxFaults, sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, adminPassword, aWorld, unique } from '../../support/world/world.ts'

/*
 * A cluster that grants as few calls a second as a real one. Time is advanced for Berth and for the
 * sandbox alike, so minutes of rest take seconds.
 */
const clock = advancedClock()
let world: World
let faults: SandboxFaults
beforeAll(async () => {
  world = await aWorld({ clock, config: (config) => void (config.cluster.callsPerSecond = 20) })
  faults = sandboxFaults(world.cluster)
  await faults.inject('pace', { factor: 0.05 })
  await world.networksOpen()
})

/** Shorter than the interval of a heartbeat, so that no lease seems to be lost. */
const stepMs = 2_000
/** The real time in which Berth does what falls due in a step. */
const pauseMs = 25

async function advance(ms: number, isOver: () => Promise<boolean> = async () => false) {
  for (let leftMs = ms; leftMs > 0 && !(await isOver()); leftMs -= stepMs) {
    await faults.inject('clock/advance', { ms: stepMs })
    clock.advance(stepMs)
    await systemClock.sleep(pauseMs)
  }
}

const isWrite = (call: string): boolean => /^(?:PATCH|PUT|DELETE) /.test(call)

/** Waits until nothing was written to the cluster for two seconds. */
async function writesEnd(calls: readonly string[]): Promise<void> {
  let last = -1
  const isQuiet = async (): Promise<boolean> => {
    const before = last
    last = calls.filter(isWrite).length
    return last === before
  }
  await waitFor(isQuiet, { timeoutMs: 30_000, everyMs: 2_000, what: 'the writes to end' })
}

test('ten tenants that are created at once settle after one pass over the boundary of each', async () => {
  const calls = sentCalls(world.cluster)
  const made = await Promise.all(
    Array.from({ length: 10 }, () => {
      const slug = unique('t')
      return world.root.rest('POST', '/tenants', {
        body: { name: slug, slug, admin_password: adminPassword },
      })
    }),
  )
  for (const { body } of made)
    expect(await world.ended('create_tenant', body.tenant.id)).toMatchObject({ state: 'succeeded' })
  await world.networksOpen()
  await writesEnd(calls)
  // A second pass over a boundary would write each of its parts again.
  const parts = calls.filter((call) => /^PATCH .*\/tenant-\w+$/.test(call))
  expect(parts.length).toBeLessThan(1.5 * new Set(parts).size)
})

/** Every call at rest is repeated within this time. */
const restMs = 420_000

async function callsAtRest(calls: string[]): Promise<string[]> {
  await writesEnd(calls)
  calls.length = 0
  await advance(restMs)
  return [...calls]
}

const perSecond = (calls: readonly string[]): number => calls.length / (restMs / 1_000)

test(
  'a cluster at rest receives at most 0.4 calls a second, and the same ones for 5 and for 50 VMs',
  { timeout: 240_000 },
  async () => {
    const calls = sentCalls(world.cluster)
    const tenant = await world.tenant()
    const vms = await vmActions(tenant.admin)
    const deploy = (count: number) =>
      Promise.all(Array.from({ length: count }, () => vms.running()))
    await deploy(5)
    const few = await callsAtRest(calls)
    await deploy(45)
    const many = await callsAtRest(calls)

    expect(perSecond(few)).toBeLessThanOrEqual(0.4)
    expect(perSecond(many)).toBeLessThanOrEqual(0.4)
    expect([...new Set(many)].sort()).toEqual([...new Set(few)].sort())
    // Intervals are random within limits.
    expect(Math.abs(many.length - few.length)).toBeLessThan(few.length / 5)
  },
)

test('a change whose event was lost is undone within five minutes', async () => {
  const { namespace } = await world.tenant()
  const path = `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies/${tenantObjectNames.defaultDeny}`
  const exists = async (): Promise<boolean> => (await world.cluster.call(path)).status === 200
  expect(await exists()).toBe(true)
  const dropped = { path: '/apis/networking.k8s.io/v1/networkpolicies' }
  expect(await faults.inject('watches/drop', dropped)).toEqual({ watches: 1 })
  await world.cluster.call(path, { method: 'DELETE' })
  await advance(300_000, exists)
  await waitFor(exists, { what: 'the policy to be back' })
})
