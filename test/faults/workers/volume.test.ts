import { afterAll, beforeAll, expect, test } from 'vitest'
import { allStepFailpoints } from '../../../server/src/domain/operation/kind.ts'
import {
  WorldWorkers,
  workerFaultScenarios,
} from '../../support/scenarios/worker-fault-scenarios.ts'
import { VolumeScenarios, volumeKinds } from '../../support/scenarios/volume-scenarios.ts'
import { aWorld } from '../../support/world/world.ts'

let workers: WorldWorkers
let fixtures: VolumeScenarios
beforeAll(async () => {
  const world = await aWorld({ worker: false })
  workers = new WorldWorkers(world)
  void workers.start()
  fixtures = await VolumeScenarios.in(world)
  await workers.stop()
})
afterAll(() => workers.stop())

test('a worker that is killed or paused at any step of a volume lifecycle leaves nothing unfinished', async () => {
  const [createKind, ...later] = volumeKinds
  const scenarios = await workerFaultScenarios(
    workers,
    { creation: createKind, later },
    {
      begin: fixtures.begin,
      async ready(kind, id) {
        await fixtures.isBound(id)
        if (kind === 'detach_volume') await fixtures.ask('attach_volume', id)
      },
      ask: fixtures.ask,
    },
  )
  for (const { kind, fault, id } of scenarios) {
    const { operations, ...left } = await fixtures.left(id)
    expect([fault, operations]).toEqual([
      fault,
      expect.arrayContaining([expect.objectContaining({ kind, state: 'succeeded' })]),
    ])
    const isIn = kind === 'attach_volume'
    expect([fault, left]).toMatchObject([
      fault,
      kind === 'delete_volume' ? { gone: true, claim: 404 } : { in: isIn, held: isIn, claim: 200 },
    ])
  }
  expect(new Set(scenarios.map(({ fault }) => fault.at))).toEqual(
    new Set(allStepFailpoints(volumeKinds)),
  )
}, 300_000)
