import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allStepFailpoints } from '../../../server/src/domain/operation/kind.ts'
import { type OperationKind } from '../../../server/src/domain/nouns.ts'
import {
  WorldWorkers,
  workerFaultScenarios,
} from '../../support/scenarios/worker-fault-scenarios.ts'
import { VmScenarios, vmiCommands, vmKinds } from '../../support/scenarios/vm-scenarios.ts'
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

const isDone = (kind: OperationKind) =>
  expect.arrayContaining([expect.objectContaining({ kind, state: 'succeeded', fault_code: null })])

describe('a worker that is killed or paused at a step of a VM’s operations', () => {
  test('a worker that is killed or paused leaves nothing unfinished at any step of the lifecycle', async () => {
    const [createKind, ...later] = vmKinds
    const scenarios = await workerFaultScenarios(
      workers,
      { creation: createKind, later },
      {
        begin: () => vms.begin(),
        ready: (kind, id) => (kind === 'start_vm' ? vms.ask('stop_vm', id) : Promise.resolve()),
        ask: vms.ask,
      },
    )
    const lifecycle = await vms.whole(await vms.begin())
    const expected = Object.fromEntries(vmKinds.map((kind, index) => [kind, lifecycle[index]]))
    for (const { kind, fault, id } of scenarios) {
      const { operations, ...left } = await vms.left(id)
      expect([fault, expected[kind]]).toMatchObject([fault, left])
      expect([fault, operations]).toEqual([fault, isDone(kind)])
    }
    expect(new Set(scenarios.map(({ fault }) => fault.at))).toEqual(
      new Set(allStepFailpoints(vmKinds)),
    )
  }, 300_000)

  test('a worker that is killed or paused leaves nothing unfinished at any step of a VMI operation, and each happens once', async () => {
    const resize = {
      kind: 'resize_vm',
      from: 'Running',
      ends: { vm: 'Running' },
      starts: 0,
    } as const
    const orders = [resize, { ...resize, kind: 'resolve_vm_drift' } as const, ...vmiCommands]
    const later = orders.map(({ kind }) => kind)
    const scenarios = await workerFaultScenarios(
      workers,
      { creation: null, later },
      {
        begin: () => vms.begin(),
        ready: (requestedKind, id) =>
          requestedKind === 'resolve_vm_drift'
            ? vms.changeOutside(id)
            : orders.some(({ kind, from }) => kind === requestedKind && from === 'Paused')
              ? vms.ask('pause_vm', id)
              : Promise.resolve(),
        ask: (kind, id) => vms.ask(kind, id, kind === 'resize_vm' ? { cpu: 2 } : {}),
      },
    )
    for (const { kind, fault, id } of scenarios) {
      const { operations, vm } = await vms.left(id)
      expect([fault, operations]).toEqual([fault, isDone(kind)])
      const order = orders.find((each) => each.kind === kind)
      expect([fault, vm]).toMatchObject([fault, { state: order?.ends.vm }])
      expect([fault, await vms.starts(id)]).toEqual([fault, 1 + (order?.starts ?? 0)])
    }
    expect(new Set(scenarios.map(({ fault }) => fault.at))).toEqual(
      new Set(allStepFailpoints(later)),
    )
  }, 300_000)

  test('a worker that is killed or paused leaves nothing unfinished while SSH is opened or closed, and each happens once', async () => {
    const later = ['expose_vm_ssh', 'unexpose_vm_ssh'] as const
    const scenarios = await workerFaultScenarios(
      workers,
      { creation: null, later },
      {
        begin: () => vms.begin(),
        ready: (kind, id) =>
          kind === 'unexpose_vm_ssh' ? vms.ask('expose_vm_ssh', id) : Promise.resolve(),
        ask: vms.ask,
      },
    )
    for (const { kind, fault, id } of scenarios) {
      const { operations, objects } = await vms.left(id)
      expect([fault, operations]).toEqual([fault, isDone(kind)])
      const ofSsh = objects.flatMap(([object]) =>
        ['services', 'endpointslices'].includes(String(object)) ? [object] : [],
      )
      expect([fault, ofSsh.sort()]).toEqual([
        fault,
        kind === 'expose_vm_ssh' ? ['endpointslices', 'services'] : [],
      ])
    }
    expect(new Set(scenarios.map(({ fault }) => fault.at))).toEqual(
      new Set(allStepFailpoints(later)),
    )
  }, 300_000)

  test('a worker that is killed or paused leaves nothing unfinished while a network is attached or detached, and each happens once', async () => {
    const later = ['attach_network', 'detach_network'] as const
    const scenarios = await workerFaultScenarios(
      workers,
      { creation: null, later },
      {
        begin: () => vms.begin(),
        ready: (kind, id) =>
          kind === 'detach_network' ? vms.rewire('attach_network', id) : Promise.resolve(),
        ask: vms.rewire,
      },
    )
    for (const { kind, fault, id } of scenarios) {
      expect([fault, (await vms.left(id)).operations]).toEqual([fault, isDone(kind)])
      const nics = await world.database.sql(
        `select leave_requested_at is not null as leaving from nic where vm_id = '${id}' and kind = 'private'`,
      )
      expect([fault, nics]).toEqual([fault, [{ leaving: kind === 'detach_network' }]])
    }
    expect(new Set(scenarios.map(({ fault }) => fault.at))).toEqual(
      new Set(allStepFailpoints(later)),
    )
  }, 300_000)
})
