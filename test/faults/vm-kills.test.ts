import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allStepPoints } from '../../server/src/domain/operation/kind.ts'
import { WorldWorkers, killedLives } from '../support/killed-lives.ts'
import { VmLives, vmKinds } from '../support/vm-lives.ts'
import { type World, aWorld } from '../support/world.ts'

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

describe('a worker that is killed at a step of a VM’s operations', () => {
  test('leaves nothing that the next one does not finish, at any step', async () => {
    const lives = await killedLives(workers, vmKinds, {
      begin: vms.begin,
      ripen: (kind, id) => (kind === 'start_vm' ? vms.ask('stop_vm', id) : Promise.resolve()),
      ask: vms.ask,
    })
    const whole = await vms.whole(await vms.begin())
    const ends = Object.fromEntries(vmKinds.map((kind, index) => [kind, whole[index]]))
    for (const { kind, rule, id } of lives) {
      const { operations, ...left } = await vms.left(id)
      expect(ends[kind]).toMatchObject(left)
      expect([rule, operations.map((operation) => operation)]).toEqual([
        rule,
        expect.arrayContaining([expect.objectContaining({ kind, state: 'succeeded', fault_code: null })]),
      ])
    }
    expect(new Set(lives.map(({ rule }) => rule.at))).toEqual(new Set(allStepPoints(vmKinds)))
  }, 300_000)

  test('leaves an order that the cluster has taken, and nobody gives it twice', async () => {
    void workers.start()
    const id = await vms.ready()
    await workers.stop()
    const before = await vms.starts(id)
    const { operation } = await vms.ask('restart_vm', id)
    expect(await workers.start({ rules: [{ at: 'restart_vm.machine', where: 'after', of: id, do: 'kill' }] })).toBe('SIGKILL')
    await workers.lapse()
    void workers.start()
    expect(await vms.end(operation.id)).toMatchObject({ state: 'succeeded' })
    const { operation: stop } = await vms.ask('stop_vm', id, { force: true })
    expect(await vms.end(stop.id)).toMatchObject({ state: 'succeeded' })
    expect((await vms.starts(id)) - before).toBe(1)
  })
})
