import { afterAll, beforeAll, expect, test } from 'vitest'
import { allStepFailpoints } from '../../../server/src/domain/operation/kind.ts'
import { adopt, loseRow } from '../../support/actions/unmanaged-vm-actions.ts'
import { VmScenarios } from '../../support/scenarios/vm-scenarios.ts'
import {
  WorldWorkers,
  workerFaultScenarios,
} from '../../support/scenarios/worker-fault-scenarios.ts'
import { type World, aWorld } from '../../support/world/world.ts'

let world: World
let workers: WorldWorkers
let vms: VmScenarios
beforeAll(async () => {
  world = await aWorld({ worker: false })
  workers = new WorldWorkers(world)
  void workers.start()
  vms = await VmScenarios.in(world)
  await workers.stop()
})
afterAll(() => workers.stop())

test('a worker that is killed or paused leaves nothing unfinished at any step of an adoption, and no guest restarts', async () => {
  const names = new Map<string, string>()
  const scenarios = await workerFaultScenarios(
    workers,
    { creation: null, later: ['adopt_vm'] },
    {
      begin: () => vms.begin(),
      ready: async (_kind, id) => names.set(id, await loseRow(world, vms.tenant, id)),
      ask: (_kind, id) => adopt(vms.tenant, names.get(id) ?? ''),
    },
  )
  for (const { fault, id } of scenarios) {
    const { vm, objects, operations } = await vms.left(id)
    expect([fault, operations]).toMatchObject([
      fault,
      [{ kind: 'adopt_vm', state: 'succeeded', fault_code: null }],
    ])
    expect([fault, vm]).toMatchObject([fault, { state: 'Running', power: 'on' }])
    expect([fault, objects.every(([, isSame]) => isSame)]).toEqual([fault, true])
    expect([fault, await vms.starts(id)]).toEqual([fault, 1])
  }
  expect(new Set(scenarios.map(({ fault }) => fault.at))).toEqual(
    new Set(allStepFailpoints(['adopt_vm'])),
  )
}, 300_000)
