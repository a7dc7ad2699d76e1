import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { allStepPoints } from '../../../server/src/domain/operation/kind.ts'
import { planFailpoints } from '../../../server/src/runtime/failpoint.ts'
import { type Json } from '../../support/json.ts'
import { VmLives, stepsOf } from '../../support/scenarios/vm-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, aWorld } from '../../support/world/world.ts'

const kinds = ['attach_network', 'detach_network'] as const

let world: World
let lives: VmLives
let id: string
beforeAll(async () => {
  world = await aWorld({ config: ({ network }) => void (network.addressRestSeconds = 0) })
  lives = await VmLives.in(world, { pace: 0.05 })
  id = await lives.ready()
})
afterEach(() => planFailpoints(null))

const nicsHere = (): Promise<Json[]> =>
  world.database.sql(
    `select ordinal, leave_requested_at is not null as leaving from nic where vm_id = '${id}' and free_at is null order by 1`,
  )

/**
 * Asked for and ended, of a machine that runs, which goes on: what it leaves has gone when nothing
 * is left of it.
 */
async function done(kind: (typeof kinds)[number]): Promise<Json> {
  const { operation } = await lives.rewire(kind, id)
  const { state, progress, fault_code: fault, steps } = await lives.end(operation.id)
  const networksOf = async (): Promise<string[]> =>
    (await lives.machine(id)).networks.map(({ name }: Json) => name)
  const isSettled = async (): Promise<boolean> =>
    (await nicsHere()).every(({ leaving }) => !leaving) &&
    (await networksOf()).length === (await nicsHere()).length
  await waitFor(isSettled, { timeoutMs: 15_000, what: 'what leaves to be gone' })
  const networks = await networksOf()
  return {
    state,
    progress,
    fault,
    steps: stepsOf(steps),
    networks,
    nics: (await nicsHere()).length,
    starts: await lives.starts(id),
  }
}

const ended = { state: 'succeeded', progress: 100, fault: null, starts: 1 }
const ends = {
  attach_network: {
    ...ended,
    steps: ['machine done', 'attached done'],
    networks: ['nic0', 'nic1'],
    nics: 2,
  },
  detach_network: {
    ...ended,
    steps: ['machine done', 'detached done'],
    networks: ['nic0'],
    nics: 1,
  },
} as const

describe('each step of what puts a VM into a network or takes it out', () => {
  test('has a failpoint before and after it, named as in the registry, and ends as it should', async () => {
    const seen = new Set<string>()
    planFailpoints({ rules: [], seen: (name, where) => void seen.add(`${name} ${where}`) })
    for (const kind of kinds) expect([kind, await done(kind)]).toEqual([kind, ends[kind]])
    const here = [...seen].filter((name) => kinds.some((kind) => name.startsWith(kind)))
    expect(here.sort()).toEqual(
      allStepPoints(kinds)
        .flatMap((at) => [`${at} after`, `${at} before`])
        .sort(),
    )
  })

  const rules = [
    { where: 'before', do: 'error', nth: 1 },
    { where: 'after', do: 'error', nth: 1 },
    { where: 'before', do: 'repeat' },
  ] as const
  // In turns: each leaves the VM as the other needs it.
  const steps = [['machine', 'machine'] as const, ['attached', 'detached'] as const]
  const troubles = rules.flatMap((rule) =>
    steps.flatMap((pair) =>
      kinds.map((kind, index) => ({ kind, at: `${kind}.${pair[index] ?? ''}`, ...rule })),
    ),
  )
  test.each(troubles)(
    'that meets trouble ends as if there had been none: $at $where $do',
    async ({ kind, ...rule }) => {
      let strikes = 0
      planFailpoints({
        rules: [rule],
        seen: (name, where) => void (name === rule.at && where === rule.where ? strikes++ : 0),
      })
      expect(await done(kind)).toEqual(ends[kind])
      expect(strikes).toBeGreaterThanOrEqual(1)
    },
  )

  test('that meets a delete ends with the delete, and gives its addresses back', async () => {
    for (const where of ['before', 'after'] as const) {
      const doomed = await lives.ready({ start: false })
      const asking: Promise<Json>[] = []
      // The step waits while the delete is asked for.
      planFailpoints({
        rules: [{ at: 'attach_network.machine', where, do: 'delay', delayMs: 100, nth: 1 }],
        seen: (name, when) => {
          if (asking.length === 0 && name === 'attach_network.machine' && when === where)
            asking.push(lives.ask('delete_vm', doomed))
        },
      })
      await lives.rewire('attach_network', doomed)
      await waitFor(() => asking.length > 0, { timeoutMs: 15_000, what: where })
      await Promise.all(asking)
      await lives.ended('delete_vm', doomed)
      expect([where, await lives.left(doomed)]).toMatchObject([
        where,
        { vm: { gone: true }, objects: [] },
      ])
      expect(
        await world.database.sql(`select 1 from nic where vm_id = '${doomed}' and free_at is null`),
      ).toEqual([])
      planFailpoints(null)
    }
  })
})
