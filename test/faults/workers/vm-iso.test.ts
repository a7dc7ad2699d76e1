import { afterAll, beforeAll, expect, test } from 'vitest'
import { allStepFailpoints } from '../../../server/src/domain/operation/kind.ts'
import { type Images, serveImages } from '../../support/sandbox/image-server.ts'
import { importedIso } from '../../support/actions/iso-template.ts'
import {
  WorldWorkers,
  workerFaultScenarios,
} from '../../support/scenarios/worker-fault-scenarios.ts'
import { VmScenarios } from '../../support/scenarios/vm-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { aWorld } from '../../support/world/world.ts'

const kinds = ['eject_vm_iso'] as const

let images: Images
let workers: WorldWorkers
let vms: VmScenarios
beforeAll(async () => {
  images = await serveImages()
  const world = await aWorld({ worker: false })
  workers = new WorldWorkers(world)
  void workers.start()
  vms = await VmScenarios.in(world, { templateOf: (tenant) => importedIso(tenant, images) })
  await workers.stop()
})
afterAll(async () => {
  await workers.stop()
  await images[Symbol.asyncDispose]()
})

test('a worker that is killed or paused while it ejects an ISO leaves no copy, and the next one ends the operation', async () => {
  const scenarios = await workerFaultScenarios(
    workers,
    { creation: null, later: kinds },
    { begin: () => vms.begin({ start: false }), ask: vms.ask },
  )
  void workers.start()
  for (const { fault, id } of scenarios) {
    const isRemoved = async (): Promise<boolean> => (await vms.row(id)).iso_uid === null
    await waitFor(isRemoved, { timeoutMs: 15_000, what: 'the copy of the ISO to be gone' })
    const { objects, operations } = await vms.left(id)
    expect([fault, objects.filter(([kind]) => kind === 'datavolumes')]).toEqual([
      fault,
      [['datavolumes', true]],
    ])
    expect([fault, operations]).toMatchObject([
      fault,
      [{ kind: 'deploy_vm' }, { kind: 'eject_vm_iso', state: 'succeeded' }],
    ])
  }
  expect(new Set(scenarios.map(({ fault }) => fault.at))).toEqual(new Set(allStepFailpoints(kinds)))
}, 300_000)
