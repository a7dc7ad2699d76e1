import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allStepFailpoints } from '../../../server/src/domain/operation/kind.ts'
import {
  StepFaultScenarios,
  stepFaultScenarios,
  pointsOf,
} from '../../support/scenarios/step-fault-scenarios.ts'
import { VmScenarios, vmKinds } from '../../support/scenarios/vm-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, aWorld } from '../../support/world/world.ts'

let world: World
let vms: VmScenarios
let scenarios: StepFaultScenarios
let undisturbedId: string
let expected: unknown[]
beforeAll(async () => {
  world = await aWorld()
  vms = await VmScenarios.in(world)
  scenarios = new StepFaultScenarios()
  undisturbedId = await scenarios.begin([], vms.begin)
  expected = await vms.whole(undisturbedId)
})
afterAll(() => scenarios[Symbol.dispose]())

describe.concurrent('each step of a VM’s operations', () => {
  test('each step has a failpoint before and after it, named as in the registry', async () => {
    // The last failpoint is passed a moment after the commit that ends the operation.
    await expect
      .poll(() => [...new Set(scenarios.arrivalsOf(undisturbedId))].sort(), { timeout: 15_000 })
      .toEqual(pointsOf(vmKinds))
    expect(expected).toMatchObject([
      { vm: { state: 'Running', power: 'on', gone: false } },
      { vm: { state: 'Stopped', power: 'off', gone: false } },
      { vm: { state: 'Running', power: 'on', gone: false } },
      { vm: { gone: true }, objects: [] },
    ])
  })

  test.each(stepFaultScenarios(vmKinds))(
    'a step with faults ends like one without: $title',
    async ({ faults }) => {
      const id = await scenarios.begin(faults, vms.begin)
      expect(await vms.whole(id)).toEqual(expected)
      expect(faults.filter((fault) => !scenarios.isMet(id, fault))).toEqual([])
    },
  )

  const moments = allStepFailpoints(['deploy_vm']).flatMap((at) =>
    (['before', 'after'] as const).map((where) => ({ at, where })),
  )
  test.each(moments)(
    'a delete during a step ends the operation and leaves nothing: $where $at',
    async (moment) => {
      // The step waits while the delete is requested.
      const id = await scenarios.begin(
        [{ ...moment, do: 'delay', delayMs: 150, nth: 1 }],
        vms.begin,
      )
      await waitFor(() => scenarios.arrivalsOf(id).includes(`${moment.at} ${moment.where}`), {
        timeoutMs: 15_000,
        what: `${moment.where} ${moment.at}`,
      })
      await vms.ask('delete_vm', id)
      await vms.ended('delete_vm', id)
      expect(await vms.left(id)).toMatchObject({ vm: { gone: true }, objects: [] })
      expect(
        await world.database.sql(
          `select 1 from operation where target_id = '${id}' and finished_at is null`,
        ),
      ).toEqual([])
    },
  )
})
