import { afterAll, beforeAll, expect, test } from 'vitest'
import { WorldWorkers } from '../support/killed-lives.ts'
import { VmLives } from '../support/vm-lives.ts'
import { type World, aWorld } from '../support/world.ts'

let world: World
let workers: WorldWorkers
let lives: VmLives
let id: string
beforeAll(async () => {
  world = await aWorld({ worker: false })
  workers = new WorldWorkers(world)
  void workers.start()
  lives = await VmLives.in(world, 0.05)
  id = await lives.ready()
  await workers.stop()
})
afterAll(() => workers.stop())

test('a worker that is killed over an order leaves it to the next one, and the order is followed once', async () => {
  const before = await lives.starts(id)
  const { operation } = await lives.ask('restart_vm', id)
  // The cluster has taken the order, and nobody has written that down.
  expect(await workers.start({ rules: [{ at: 'restart_vm.machine', where: 'after', do: 'kill' }] })).toBe('SIGKILL')
  await workers.lapse()
  void workers.start()
  expect(await lives.end(operation.id)).toMatchObject({ state: 'succeeded' })
  const forced = await lives.ask('stop_vm', id, { force: true })
  expect(await lives.end(forced.operation.id)).toMatchObject({ state: 'succeeded' })
  expect((await lives.starts(id)) - before).toBe(1)
})
