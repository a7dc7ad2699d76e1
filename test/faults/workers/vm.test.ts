import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allStepPoints } from '../../../server/src/domain/operation/kind.ts'
import { type OperationKind } from '../../../server/src/domain/nouns.ts'
import { WorldWorkers, struckLives } from '../../support/scenarios/worker-fault-scenarios.ts'
import { VmLives, runOrders, vmKinds } from '../../support/scenarios/vm-scenarios.ts'
import { type World, aWorld } from '../../support/world/world.ts'

let world: World
let workers: WorldWorkers
let vms: VmLives
beforeAll(async () => {
  world = await aWorld({ worker: false })
  workers = new WorldWorkers(world)
  void workers.start()
  vms = await VmLives.in(world)
  await workers.stop()
})
afterAll(() => workers.stop())

const isDone = (kind: OperationKind) =>
  expect.arrayContaining([expect.objectContaining({ kind, state: 'succeeded', fault_code: null })])

describe('a worker that is killed or paused at a step of a VM’s operations', () => {
  test('leaves nothing that the next one does not finish, at any step of its life', async () => {
    const [making, ...later] = vmKinds
    const lives = await struckLives(
      workers,
      { making, later },
      {
        begin: () => vms.begin(),
        ripen: (kind, id) => (kind === 'start_vm' ? vms.ask('stop_vm', id) : Promise.resolve()),
        ask: vms.ask,
      },
    )
    const whole = await vms.whole(await vms.begin())
    const ends = Object.fromEntries(vmKinds.map((kind, index) => [kind, whole[index]]))
    for (const { kind, blow, id } of lives) {
      const { operations, ...left } = await vms.left(id)
      expect([blow, ends[kind]]).toMatchObject([blow, left])
      expect([blow, operations]).toEqual([blow, isDone(kind)])
    }
    expect(new Set(lives.map(({ blow }) => blow.at))).toEqual(new Set(allStepPoints(vmKinds)))
  }, 300_000)

  test('nor at any step of what is done with a run, which is done once', async () => {
    const resize = {
      kind: 'resize_vm',
      from: 'Running',
      ends: { vm: 'Running' },
      starts: 0,
    } as const
    const orders = [resize, ...runOrders]
    const later = orders.map(({ kind }) => kind)
    const lives = await struckLives(
      workers,
      { making: null, later },
      {
        begin: () => vms.begin(),
        ripen: (asked, id) =>
          orders.some(({ kind, from }) => kind === asked && from === 'Paused')
            ? vms.ask('pause_vm', id)
            : Promise.resolve(),
        ask: (kind, id) => vms.ask(kind, id, kind === 'resize_vm' ? { cpu: 2 } : {}),
      },
    )
    for (const { kind, blow, id } of lives) {
      const { operations, vm } = await vms.left(id)
      expect([blow, operations]).toEqual([blow, isDone(kind)])
      const order = orders.find((each) => each.kind === kind)
      expect([blow, vm]).toMatchObject([blow, { state: order?.ends.vm }])
      expect([blow, await vms.starts(id)]).toEqual([blow, 1 + (order?.starts ?? 0)])
    }
    expect(new Set(lives.map(({ blow }) => blow.at))).toEqual(new Set(allStepPoints(later)))
  }, 300_000)

  test('nor at any step of what opens a port to its SSH or closes it, which is done once', async () => {
    const later = ['expose_vm_ssh', 'unexpose_vm_ssh'] as const
    const lives = await struckLives(
      workers,
      { making: null, later },
      {
        begin: () => vms.begin(),
        ripen: (kind, id) =>
          kind === 'unexpose_vm_ssh' ? vms.ask('expose_vm_ssh', id) : Promise.resolve(),
        ask: vms.ask,
      },
    )
    for (const { kind, blow, id } of lives) {
      const { operations, objects } = await vms.left(id)
      expect([blow, operations]).toEqual([blow, isDone(kind)])
      const ofSsh = objects.flatMap(([object]) =>
        ['services', 'endpointslices'].includes(String(object)) ? [object] : [],
      )
      expect([blow, ofSsh.sort()]).toEqual([
        blow,
        kind === 'expose_vm_ssh' ? ['endpointslices', 'services'] : [],
      ])
    }
    expect(new Set(lives.map(({ blow }) => blow.at))).toEqual(new Set(allStepPoints(later)))
  }, 300_000)

  test('nor at any step of what puts it into a network or takes it out, which is done once', async () => {
    const later = ['attach_network', 'detach_network'] as const
    const lives = await struckLives(
      workers,
      { making: null, later },
      {
        begin: () => vms.begin(),
        ripen: (kind, id) =>
          kind === 'detach_network' ? vms.rewire('attach_network', id) : Promise.resolve(),
        ask: vms.rewire,
      },
    )
    for (const { kind, blow, id } of lives) {
      expect([blow, (await vms.left(id)).operations]).toEqual([blow, isDone(kind)])
      const nics = await world.database.sql(
        `select leave_requested_at is not null as leaving from nic where vm_id = '${id}' and kind = 'private'`,
      )
      expect([blow, nics]).toEqual([blow, [{ leaving: kind === 'detach_network' }]])
    }
    expect(new Set(lives.map(({ blow }) => blow.at))).toEqual(new Set(allStepPoints(later)))
  }, 300_000)
})
