import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { allStepFailpoints } from '../../../server/src/domain/operation/kind.ts'
import { planFailpoints } from '../../../server/src/runtime/failpoint.ts'
import { type Json } from '../../support/json.ts'
import { VmScenarios, stepsOf } from '../../support/scenarios/vm-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, aWorld } from '../../support/world/world.ts'

const kinds = ['attach_network', 'detach_network'] as const

let world: World
let scenarios: VmScenarios
let id: string
beforeAll(async () => {
  world = await aWorld({ config: ({ network }) => void (network.addressRestSeconds = 0) })
  scenarios = await VmScenarios.in(world, { pace: 0.05 })
  id = await scenarios.ready()
})
afterEach(() => planFailpoints(null))

const nicsHere = (): Promise<Json[]> =>
  world.database.sql(
    `select ordinal, leave_requested_at is not null as leaving from nic where vm_id = '${id}' and free_at is null order by 1`,
  )

/** Runs the operation on a running VM, and waits until a detached NIC is gone. */
async function runOperation(kind: (typeof kinds)[number]): Promise<Json> {
  const { operation } = await scenarios.rewire(kind, id)
  const { state, progress, fault_code: fault, steps } = await scenarios.end(operation.id)
  const networksOf = async (): Promise<string[]> =>
    (await scenarios.vmSpec(id)).networks.map(({ name }: Json) => name)
  const isSettled = async (): Promise<boolean> =>
    (await nicsHere()).every(({ leaving }) => !leaving) &&
    (await networksOf()).length === (await nicsHere()).length
  await waitFor(isSettled, { timeoutMs: 15_000, what: 'the detached NIC to be gone' })
  const networks = await networksOf()
  return {
    state,
    progress,
    fault,
    steps: stepsOf(steps),
    networks,
    nics: (await nicsHere()).length,
    starts: await scenarios.starts(id),
  }
}

const ended = { state: 'succeeded', progress: 100, fault: null, starts: 1 }
const expectedEnds = {
  attach_network: {
    ...ended,
    steps: ['vm done', 'attached done'],
    networks: ['nic0', 'nic1'],
    nics: 2,
  },
  detach_network: {
    ...ended,
    steps: ['vm done', 'detached done'],
    networks: ['nic0'],
    nics: 1,
  },
} as const

describe('each step of attaching and detaching a network', () => {
  test('each step has a failpoint before and after it, named as in the registry, and ends as expected', async () => {
    const reached = new Set<string>()
    planFailpoints({ rules: [], onArrival: (name, where) => void reached.add(`${name} ${where}`) })
    for (const kind of kinds)
      expect([kind, await runOperation(kind)]).toEqual([kind, expectedEnds[kind]])
    const here = [...reached].filter((name) => kinds.some((kind) => name.startsWith(kind)))
    expect(here.sort()).toEqual(
      allStepFailpoints(kinds)
        .flatMap((at) => [`${at} after`, `${at} before`])
        .sort(),
    )
  })

  const rules = [
    { where: 'before', do: 'error', nth: 1 },
    { where: 'after', do: 'error', nth: 1 },
    { where: 'before', do: 'repeat' },
  ] as const
  // The kinds alternate, because each leaves the VM as the other needs it.
  const steps = [['vm', 'vm'] as const, ['attached', 'detached'] as const]
  const faults = rules.flatMap((rule) =>
    steps.flatMap((pair) =>
      kinds.map((kind, index) => ({ kind, at: `${kind}.${pair[index] ?? ''}`, ...rule })),
    ),
  )
  test.each(faults)(
    'a step with a fault ends like one without: $at $where $do',
    async ({ kind, ...rule }) => {
      let hits = 0
      planFailpoints({
        rules: [rule],
        onArrival: (name, where) => void (name === rule.at && where === rule.where ? hits++ : 0),
      })
      expect(await runOperation(kind)).toEqual(expectedEnds[kind])
      expect(hits).toBeGreaterThanOrEqual(1)
    },
  )

  test('a delete during a step ends the operation and releases the addresses', async () => {
    for (const where of ['before', 'after'] as const) {
      const doomed = await scenarios.ready({ start: false })
      const requests: Promise<Json>[] = []
      // The step waits while the delete is requested.
      planFailpoints({
        rules: [{ at: 'attach_network.vm', where, do: 'delay', delayMs: 100, nth: 1 }],
        onArrival: (name, when) => {
          if (requests.length === 0 && name === 'attach_network.vm' && when === where)
            requests.push(scenarios.ask('delete_vm', doomed))
        },
      })
      await scenarios.rewire('attach_network', doomed)
      await waitFor(() => requests.length > 0, { timeoutMs: 15_000, what: where })
      await Promise.all(requests)
      await scenarios.ended('delete_vm', doomed)
      expect([where, await scenarios.left(doomed)]).toMatchObject([
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
