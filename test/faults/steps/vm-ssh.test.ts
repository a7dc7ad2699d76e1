import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { allStepFailpoints } from '../../../server/src/domain/operation/kind.ts'
import { type OperationKind } from '../../../server/src/domain/nouns.ts'
import { planFailpoints } from '../../../server/src/runtime/failpoint.ts'
import { type Json } from '../../support/json.ts'
import { brokenRules } from '../../support/world/invariants.ts'
import { VmScenarios, stepsOf } from '../../support/scenarios/vm-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, aWorld } from '../../support/world/world.ts'

const kinds = ['expose_vm_ssh', 'unexpose_vm_ssh'] as const satisfies readonly OperationKind[]

let world: World
let scenarios: VmScenarios
let vm: string
beforeAll(async () => {
  world = await aWorld()
  scenarios = await VmScenarios.in(world, { pace: 0.05 })
  vm = await scenarios.ready()
})
afterEach(() => planFailpoints(null))

const ofSsh = ({ objects }: Awaited<ReturnType<VmScenarios['left']>>): string[] =>
  objects.flatMap(([kind]) => (['services', 'endpointslices'].includes(kind) ? [kind] : [])).sort()

async function mustEndWell(kind: (typeof kinds)[number], id = vm): Promise<void> {
  const { operation } = await scenarios.ask(kind, id)
  const { state, progress, fault_code: fault, steps } = await scenarios.end(operation.id)
  expect({ state, progress, fault }).toEqual({ state: 'succeeded', progress: 100, fault: null })
  expect(stepsOf(steps).every((step) => step.endsWith(' done'))).toBe(true)
  expect(ofSsh(await scenarios.left(id))).toEqual(
    kind === 'expose_vm_ssh' ? ['endpointslices', 'services'] : [],
  )
}

describe('each step of opening and closing SSH access', () => {
  test('each step has a failpoint before and after it, named as in the registry', async () => {
    const reached = new Set<string>()
    planFailpoints({ rules: [], onArrival: (name, where) => void reached.add(`${name} ${where}`) })
    for (const kind of kinds) await mustEndWell(kind)
    const points = allStepFailpoints(kinds)
    expect([...reached].filter((name) => points.some((at) => name.startsWith(at))).sort()).toEqual(
      points.flatMap((at) => [`${at} after`, `${at} before`]).sort(),
    )
  })

  const rules = [
    { where: 'before', do: 'error', nth: 1 },
    { where: 'after', do: 'error', nth: 1 },
    { where: 'before', do: 'repeat' },
  ] as const
  const faults = allStepFailpoints(kinds).flatMap((at) => rules.map((rule) => ({ at, ...rule })))
  test.each(faults)('a step with a fault ends like one without: $at $where $do', async (rule) => {
    let hits = 0
    planFailpoints({
      rules: [rule],
      onArrival: (name, where) => void (name === rule.at && where === rule.where ? hits++ : 0),
    })
    for (const kind of kinds) await mustEndWell(kind)
    expect(hits).toBeGreaterThanOrEqual(1)
  })

  test('a deletion of the VM during a step ends the operation and leaves nothing', async () => {
    for (const at of allStepFailpoints(['expose_vm_ssh'])) {
      const doomed = await scenarios.ready()
      const requests: Promise<Json>[] = []
      // The step waits while the delete is requested.
      planFailpoints({
        rules: [{ at, where: 'before', do: 'delay', delayMs: 150, nth: 1 }],
        onArrival: (name, when) =>
          void (requests.length === 0 && name === at && when === 'before'
            ? requests.push(scenarios.ask('delete_vm', doomed))
            : 0),
      })
      await scenarios.ask('expose_vm_ssh', doomed)
      await waitFor(() => requests.length > 0, { timeoutMs: 15_000, what: `before ${at}` })
      await Promise.all(requests)
      await scenarios.ended('delete_vm', doomed)
      const isGone = async (): Promise<boolean> => ofSsh(await scenarios.left(doomed)).length === 0
      await waitFor(isGone, { timeoutMs: 15_000, what: 'the SSH objects of the VM to be gone' })
      expect(
        await world.database.sql(
          `select 1 from operation where target_id = '${doomed}' and finished_at is null`,
        ),
      ).toEqual([])
    }
    await waitFor(async () => (await brokenRules(world)).length === 0, {
      timeoutMs: 15_000,
      what: 'the world to be at rest',
    })
  })
})

test('the newer of two SSH operations takes effect', async () => {
  const opening = await scenarios.ask('expose_vm_ssh', vm)
  const closing = await scenarios.ask('unexpose_vm_ssh', vm)
  expect((await scenarios.end(closing.operation.id)).state).toBe('succeeded')
  expect(['superseded', 'succeeded']).toContain((await scenarios.end(opening.operation.id)).state)
  expect(ofSsh(await scenarios.left(vm))).toEqual([])
})
