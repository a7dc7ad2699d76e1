import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { allStepPoints } from '../../../server/src/domain/operation/kind.ts'
import { type OperationKind } from '../../../server/src/domain/nouns.ts'
import { planFailpoints } from '../../../server/src/runtime/failpoint.ts'
import { type Json } from '../../support/json.ts'
import { VmLives, runOrders, stepsOf } from '../../support/scenarios/vm-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, aWorld } from '../../support/world/world.ts'

const resize = {
  kind: 'resize_vm',
  from: 'Running',
  ends: { steps: ['machine done'], vm: 'Running' },
  starts: 0,
} as const
const orders = [resize, ...runOrders]
type Order = (typeof orders)[number]
const orderOf = (kind: Order['kind']): Order =>
  orders.find((order) => order.kind === kind) ?? resize

let world: World
let lives: VmLives
let id: string
const seen = new Set<string>()

beforeAll(async () => {
  world = await aWorld()
  lives = await VmLives.in(world, { pace: 0.05 })
  id = await lives.ready()
})
afterEach(() => planFailpoints(null))

/** Asked for and ended, without what differs from time to time. */
async function done(kind: OperationKind, given: Record<string, unknown> = {}): Promise<Json> {
  const input = kind === 'resize_vm' ? { cpu: 1 + ((await lives.row(id)).cpu % 4) } : given
  const { operation } = await lives.ask(kind, id, input)
  const { state, progress, fault_code: fault, steps } = await lives.end(operation.id)
  return { state, progress, fault, steps: stepsOf(steps), vm: (await lives.row(id)).state }
}

/** The VM as the verb needs it, whatever it is in now. */
async function ready(kind: Order['kind']): Promise<void> {
  const { from } = orderOf(kind)
  const { state } = await lives.row(id)
  if (state === 'Stopped') await done('start_vm')
  if (from === 'Paused' && state !== 'Paused') await done('pause_vm')
  if (from !== 'Paused' && state === 'Paused') await done('resume_vm')
}

const succeeded = { state: 'succeeded', progress: 100, fault: null } as const

const points = orders.flatMap((order) =>
  allStepPoints([order.kind]).map((at) => ({ ...order, at })),
)

const isFirst = ({ at }: { at: string }): boolean => at.endsWith('.machine')

describe('each step of what is done with a run', () => {
  test('has a failpoint before and after it, named as in the registry, and ends as it should', async () => {
    planFailpoints({ rules: [], seen: (name, where) => void seen.add(`${name} ${where}`) })
    for (const { kind, ends } of orders) {
      await ready(kind)
      expect([kind, await done(kind)]).toEqual([kind, { ...succeeded, ...ends }])
    }
    expect(
      [...seen].filter((name) => orders.some(({ kind }) => name.startsWith(kind))).sort(),
    ).toEqual(points.flatMap(({ at }) => [`${at} after`, `${at} before`]).sort())
  })

  const rules = [
    { where: 'before', do: 'error', nth: 1 },
    { where: 'after', do: 'error', nth: 1 },
    { where: 'before', do: 'repeat' },
  ] as const
  // A pause and a resume in turns: each leaves the VM as the other needs it.
  const inTurns = [...points.filter(isFirst), ...points.filter((point) => !isFirst(point))]
  const troubles = rules.flatMap((rule) =>
    inTurns.map(({ at, ...order }) => ({ order, rule: { at, ...rule } })),
  )
  test.each(troubles)(
    'that meets trouble happens once, as if there had been none: $rule.at $rule.where $rule.do',
    async ({ order: { kind, ends, starts }, rule }) => {
      await ready(kind)
      const before = await lives.starts(id)
      let strikes = 0
      planFailpoints({
        rules: [rule],
        seen: (name, where) => void (name === rule.at && where === rule.where ? strikes++ : 0),
      })
      expect(await done(kind)).toEqual({ ...succeeded, ...ends })
      expect(strikes).toBeGreaterThanOrEqual(1)
      expect((await lives.starts(id)) - before).toBe(starts)
    },
  )

  test('that meets a stop ends with the stop, whichever comes first', async () => {
    for (const { kind, at } of points.filter(
      (point) => isFirst(point) && point.kind !== 'resize_vm',
    ))
      for (const where of ['before', 'after'] as const) {
        await ready(kind)
        const asking: Promise<Json>[] = []
        // The step waits while the stop is asked for.
        planFailpoints({
          rules: [{ at, where, do: 'delay', delayMs: 100, nth: 1 }],
          seen: (name, when) => {
            if (asking.length === 0 && name === at && when === where)
              asking.push(lives.ask('stop_vm', id, { force: true }))
          },
        })
        const { operation } = await lives.ask(kind, id)
        await waitFor(() => asking.length > 0, { timeoutMs: 15_000, what: `${where} ${at}` })
        const [stop] = await Promise.all(asking)
        expect([at, where, (await lives.end(stop.operation.id)).state]).toEqual([
          at,
          where,
          'succeeded',
        ])
        const overtaken = await lives.end(operation.id)
        expect(['superseded', 'succeeded']).toContain(overtaken.state)
        if (overtaken.state === 'superseded')
          expect(overtaken.superseded_by).toBe(stop.operation.id)
        expect(await lives.row(id)).toMatchObject({ state: 'Stopped', wanted_power: 'off' })
        planFailpoints(null)
      }
  })

  test('that meets a delete ends with the delete, and nothing is left', async () => {
    for (const [at, where] of [
      ['restart_vm.machine', 'after'] as const,
      ['pause_vm.machine', 'before'] as const,
    ]) {
      const doomed = await lives.ready()
      const asking: Promise<Json>[] = []
      planFailpoints({
        rules: [{ at, where, do: 'delay', delayMs: 100, nth: 1 }],
        seen: (name, when) => {
          if (asking.length === 0 && name === at && when === where)
            asking.push(lives.ask('delete_vm', doomed))
        },
      })
      await lives.ask(at === 'restart_vm.machine' ? 'restart_vm' : 'pause_vm', doomed)
      await waitFor(() => asking.length > 0, { timeoutMs: 15_000, what: `${where} ${at}` })
      await Promise.all(asking)
      await lives.ended('delete_vm', doomed)
      expect([at, where, await lives.left(doomed)]).toMatchObject([
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

describe('a wish', () => {
  test('to be off at once survives that it cannot be told to the cluster at first', async () => {
    for (const where of ['before', 'after'] as const) {
      await ready('pause_vm')
      planFailpoints({ rules: [{ at: 'stop_vm.machine', where, do: 'error', nth: 2 }] })
      expect(await done('stop_vm', { force: true })).toMatchObject({
        state: 'succeeded',
        vm: 'Stopped',
      })
    }
  })

  test('that is past its deadline has failed, and is not fulfilled afterwards', async () => {
    await ready('pause_vm')
    planFailpoints({ rules: [{ at: 'pause_vm.machine', do: 'error' }] })
    const { operation } = await lives.ask('pause_vm', id)
    await world.database.sql(`update operation set deadline = now() where id = '${operation.id}'`)
    expect(await lives.end(operation.id)).toMatchObject({ state: 'failed', fault_code: 'timeout' })
    planFailpoints(null)
    // Once more round all steps: nothing of the pause comes up again.
    expect(await done('restart_vm')).toMatchObject({ state: 'succeeded', vm: 'Running' })
  })

  test('about a run that somebody else has ended has failed, and the next run is left alone', async () => {
    await ready('pause_vm')
    planFailpoints({ rules: [{ at: 'pause_vm.machine', do: 'error' }] })
    const { name, run_uid: run } = await lives.row(id)
    const { operation } = await lives.ask('pause_vm', id)
    const place = `namespaces/${lives.tenant.namespace}/virtualmachines/${name}`
    await world.cluster.call(`/apis/subresources.kubevirt.io/v1/${place}/restart`, {
      method: 'PUT',
      body: {},
    })
    expect(await lives.end(operation.id)).toMatchObject({ state: 'failed', fault_code: 'conflict' })
    await waitFor(
      async () => {
        const row = await lives.row(id)
        return row.state === 'Running' && row.run_uid !== run
      },
      { timeoutMs: 15_000, what: 'the next run' },
    )
  })
})
