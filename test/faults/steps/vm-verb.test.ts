import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { allStepFailpoints } from '../../../server/src/domain/operation/kind.ts'
import { type OperationKind } from '../../../server/src/domain/nouns.ts'
import { planFailpoints } from '../../../server/src/runtime/failpoint.ts'
import { type Json } from '../../support/json.ts'
import { VmScenarios, vmiCommands, stepsOf } from '../../support/scenarios/vm-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, aWorld } from '../../support/world/world.ts'

const resize = {
  kind: 'resize_vm',
  from: 'Running',
  ends: { steps: ['vm done'], vm: 'Running' },
  starts: 0,
} as const
const revert = { ...resize, kind: 'resolve_vm_drift' } as const
const orders = [resize, revert, ...vmiCommands]
type Order = (typeof orders)[number]
const orderOf = (kind: Order['kind']): Order =>
  orders.find((order) => order.kind === kind) ?? resize

let world: World
let scenarios: VmScenarios
let id: string
const reached = new Set<string>()

beforeAll(async () => {
  world = await aWorld()
  scenarios = await VmScenarios.in(world, { pace: 0.05 })
  id = await scenarios.ready()
})
afterEach(() => planFailpoints(null))

/** Runs an operation to its end, and returns the result without values that differ between runs. */
async function runOperation(
  kind: OperationKind,
  otherInput: Record<string, unknown> = {},
): Promise<Json> {
  const input = kind === 'resize_vm' ? { cpu: 1 + ((await scenarios.row(id)).cpu % 4) } : otherInput
  const { operation } = await scenarios.ask(kind, id, input)
  const { state, progress, fault_code: fault, steps } = await scenarios.end(operation.id)
  return { state, progress, fault, steps: stepsOf(steps), vm: (await scenarios.row(id)).state }
}

/** Brings the VM into the state that the operation needs. */
async function ready(kind: Order['kind']): Promise<void> {
  const { from } = orderOf(kind)
  const { state } = await scenarios.row(id)
  if (state === 'Stopped') await runOperation('start_vm')
  if (from === 'Paused' && state !== 'Paused') await runOperation('pause_vm')
  if (from !== 'Paused' && state === 'Paused') await runOperation('resume_vm')
  if (kind === 'resolve_vm_drift') await scenarios.changeOutside(id)
}

const succeeded = { state: 'succeeded', progress: 100, fault: null } as const

const points = orders.flatMap((order) =>
  allStepFailpoints([order.kind]).map((at) => ({ ...order, at })),
)

const isFirst = ({ at }: { at: string }): boolean => at.endsWith('.vm')

describe('each step of VMI operations', () => {
  test('each step has a failpoint before and after it, named as in the registry, and ends as expected', async () => {
    planFailpoints({ rules: [], onArrival: (name, where) => void reached.add(`${name} ${where}`) })
    for (const { kind, ends } of orders) {
      await ready(kind)
      expect([kind, await runOperation(kind)]).toEqual([kind, { ...succeeded, ...ends }])
    }
    expect(
      [...reached].filter((name) => orders.some(({ kind }) => name.startsWith(kind))).sort(),
    ).toEqual(points.flatMap(({ at }) => [`${at} after`, `${at} before`]).sort())
  })

  const rules = [
    { where: 'before', do: 'error', nth: 1 },
    { where: 'after', do: 'error', nth: 1 },
    { where: 'before', do: 'repeat' },
  ] as const
  // Pauses and resumes alternate, because each leaves the VM as the other needs it.
  const alternating = [...points.filter(isFirst), ...points.filter((point) => !isFirst(point))]
  const faults = rules.flatMap((rule) =>
    alternating.map(({ at, ...order }) => ({ order, rule: { at, ...rule } })),
  )
  test.each(faults)(
    'a step with a fault happens once and ends like one without: $rule.at $rule.where $rule.do',
    async ({ order: { kind, ends, starts }, rule }) => {
      await ready(kind)
      const before = await scenarios.starts(id)
      let hits = 0
      planFailpoints({
        rules: [rule],
        onArrival: (name, where) => void (name === rule.at && where === rule.where ? hits++ : 0),
      })
      expect(await runOperation(kind)).toEqual({ ...succeeded, ...ends })
      expect(hits).toBeGreaterThanOrEqual(1)
      expect((await scenarios.starts(id)) - before).toBe(starts)
    },
  )

  test('a stop during a step ends the operation, in either order', async () => {
    for (const { kind, at } of points.filter(
      (point) => isFirst(point) && !['resize_vm', 'resolve_vm_drift'].includes(point.kind),
    ))
      for (const where of ['before', 'after'] as const) {
        await ready(kind)
        const requests: Promise<Json>[] = []
        // The step waits while the stop is requested.
        planFailpoints({
          rules: [{ at, where, do: 'delay', delayMs: 100, nth: 1 }],
          onArrival: (name, when) => {
            if (requests.length === 0 && name === at && when === where)
              requests.push(scenarios.ask('stop_vm', id, { force: true }))
          },
        })
        const { operation } = await scenarios.ask(kind, id)
        await waitFor(() => requests.length > 0, { timeoutMs: 15_000, what: `${where} ${at}` })
        const [stop] = await Promise.all(requests)
        expect([at, where, (await scenarios.end(stop.operation.id)).state]).toEqual([
          at,
          where,
          'succeeded',
        ])
        const overtaken = await scenarios.end(operation.id)
        expect(['superseded', 'succeeded']).toContain(overtaken.state)
        if (overtaken.state === 'superseded')
          expect(overtaken.superseded_by).toBe(stop.operation.id)
        expect(await scenarios.row(id)).toMatchObject({ state: 'Stopped', wanted_power: 'off' })
        planFailpoints(null)
      }
  })

  test('a deletion of the VM during a step ends the operation and leaves nothing', async () => {
    for (const [at, where] of [
      ['restart_vm.vm', 'after'] as const,
      ['pause_vm.vm', 'before'] as const,
    ]) {
      const doomed = await scenarios.ready()
      const requests: Promise<Json>[] = []
      planFailpoints({
        rules: [{ at, where, do: 'delay', delayMs: 100, nth: 1 }],
        onArrival: (name, when) => {
          if (requests.length === 0 && name === at && when === where)
            requests.push(scenarios.ask('delete_vm', doomed))
        },
      })
      await scenarios.ask(at === 'restart_vm.vm' ? 'restart_vm' : 'pause_vm', doomed)
      await waitFor(() => requests.length > 0, { timeoutMs: 15_000, what: `${where} ${at}` })
      await Promise.all(requests)
      await scenarios.ended('delete_vm', doomed)
      expect([at, where, await scenarios.left(doomed)]).toMatchObject([
        at,
        where,
        { vm: { gone: true }, objects: [] },
      ])
      const open = await world.database.sql(
        `select 1 from operation where target_id = '${doomed}' and finished_at is null`,
      )
      expect(open).toEqual([])
    }
  })
})

describe('power commands', () => {
  test('a forced stop takes effect even when its first call fails', async () => {
    for (const where of ['before', 'after'] as const) {
      await ready('pause_vm')
      planFailpoints({ rules: [{ at: 'stop_vm.vm', where, do: 'error', nth: 2 }] })
      expect(await runOperation('stop_vm', { force: true })).toMatchObject({
        state: 'succeeded',
        vm: 'Stopped',
      })
    }
  })

  test('a pause past its deadline fails and takes no effect later', async () => {
    await ready('pause_vm')
    planFailpoints({ rules: [{ at: 'pause_vm.vm', do: 'error' }] })
    const { operation } = await scenarios.ask('pause_vm', id)
    await world.database.sql(
      `update operation set deadline = now(), deadline_seconds = 1 where id = '${operation.id}'`,
    )
    expect(await scenarios.end(operation.id)).toMatchObject({
      state: 'failed',
      fault_code: 'timeout',
    })
    planFailpoints(null)
    // One more operation runs all steps, and the pause takes no effect.
    expect(await runOperation('restart_vm')).toMatchObject({ state: 'succeeded', vm: 'Running' })
  })

  test('a pause of a VMI that another client has ended fails, and the next VMI is not paused', async () => {
    await ready('pause_vm')
    planFailpoints({ rules: [{ at: 'pause_vm.vm', do: 'error' }] })
    const { name, vmi_uid: vmiUid } = await scenarios.row(id)
    const { operation } = await scenarios.ask('pause_vm', id)
    const path = `namespaces/${scenarios.tenant.namespace}/virtualmachines/${name}`
    await world.cluster.call(`/apis/subresources.kubevirt.io/v1/${path}/restart`, {
      method: 'PUT',
      body: {},
    })
    expect(await scenarios.end(operation.id)).toMatchObject({
      state: 'failed',
      fault_code: 'conflict',
    })
    await waitFor(
      async () => {
        const row = await scenarios.row(id)
        return row.state === 'Running' && row.vmi_uid !== vmiUid
      },
      { timeoutMs: 15_000, what: 'the next VMI' },
    )
  })
})
