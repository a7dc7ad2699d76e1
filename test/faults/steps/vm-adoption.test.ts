import { afterEach, beforeAll, expect, test } from 'vitest'
import { planFailpoints } from '../../../server/src/runtime/failpoint.ts'
import { adopt, aForeignVm, untilShown } from '../../support/actions/unmanaged-vm-actions.ts'
import { type Json } from '../../support/json.ts'
import { pointsOf, stepFaultsOf } from '../../support/scenarios/step-fault-scenarios.ts'
import { VmScenarios, stepsOf } from '../../support/scenarios/vm-scenarios.ts'
import { type World, aWorld } from '../../support/world/world.ts'

const kind = 'adopt_vm'

let world: World
let scenarios: VmScenarios
beforeAll(async () => {
  world = await aWorld()
  scenarios = await VmScenarios.in(world, { pace: 0.05 })
})
afterEach(() => planFailpoints(null))

/** Adopts a new VM of another client, and returns the result without values that differ. */
async function adoption(): Promise<Json> {
  const { name } = await aForeignVm(world, scenarios.tenant)
  await untilShown(scenarios.tenant, name)
  const { vm, operation } = await adopt(scenarios.tenant, name)
  const { state, progress, fault_code: fault, steps } = await scenarios.end(operation.id)
  const { objects } = await scenarios.left(vm.id)
  return { state, progress, fault, steps: stepsOf(steps), objects, id: vm.id }
}

const succeeded = {
  state: 'succeeded',
  progress: 100,
  fault: null,
  steps: ['firewall', 'settings', 'disk', 'vm', 'observed'].map((step) => `${step} done`),
  objects: ['virtualmachines', 'datavolumes', 'secrets', 'networkpolicies'].map((each) => [
    each,
    true,
  ]),
}

test('each step of an adoption has a failpoint before and after it, named as in the registry', async () => {
  const reached = new Set<string>()
  planFailpoints({ rules: [], onArrival: (name, where) => void reached.add(`${name} ${where}`) })
  expect(await adoption()).toMatchObject(succeeded)
  await expect
    .poll(() => [...reached].filter((name) => name.startsWith(kind)).sort())
    .toEqual(pointsOf([kind]))
})

test.each(stepFaultsOf(['adopt_vm']))(
  'an adoption with a fault ends like one without: $do $where $at',
  async (fault) => {
    planFailpoints({ rules: [fault] })
    const { id, ...left } = await adoption()
    expect(left).toEqual(succeeded)
    await scenarios.ask('delete_vm', id)
    await scenarios.ended('delete_vm', id)
    expect(await scenarios.left(id)).toMatchObject({ vm: { gone: true }, objects: [] })
  },
)
