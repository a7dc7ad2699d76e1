import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { ring } from '../../server/src/store/work-ring.ts'
import { WorkerProcess, anEngineCluster, workerPlan } from '../support/engine-nemesis.ts'
import { anEngineWorld, quiet } from '../support/engine-world.ts'

test('the work of a killed worker goes on elsewhere within 15 s, with the real lease', { timeout: 60_000 }, async () => {
  await using world = await anEngineWorld()
  await anEngineCluster(world)
  const tenantId = await world.aTenant()
  const objectId = randomUUID()
  await world.pool.query('insert into engine_unit (id) values ($1)', [objectId])
  // Dies between claim and record of the third step, as a crash does: the lease stays behind.
  const failpoints = { rules: [{ at: 'unit.step3', where: 'after', do: 'kill' }] } as const
  await using doomed = new WorkerProcess(workerPlan(world, { leaseMs: 10_000, failpoints }))
  await ring(world.pool, [{ kind: 'unit', objectId, tenantId }])
  await vi.waitFor(() => expect(doomed.running()).toBe(false), { timeout: 20_000, interval: 10 })
  const diedAt = quiet.clock.elapsedMs()
  await using heir = new WorkerProcess(workerPlan(world, { leaseMs: 10_000 }))
  await vi.waitFor(() => expect(heir.said.claimed).toBeGreaterThan(0), { timeout: 20_000, interval: 10 })
  expect(quiet.clock.elapsedMs() - diedAt).toBeLessThan(15_000)
  await vi.waitFor(
    async () => {
      expect(await world.database.sql('select step from engine_unit')).toEqual([{ step: 5 }])
    },
    { timeout: 10_000, interval: 50 },
  )
  expect(await world.database.sql('select step from engine_record order by id')).toEqual([1, 2, 3, 4, 5].map((step) => ({ step })))
})

test('a key that kills its worker is given up after its attempts, and others go on', { timeout: 60_000 }, async () => {
  await using world = await anEngineWorld()
  await anEngineCluster(world)
  const tenantId = await world.aTenant()
  const killer = await world.aKey('killer', tenantId)
  await using worker = new WorkerProcess(workerPlan(world, { leaseMs: 300 }))
  const supervisor = quiet.clock.every(20, () => {
    if (!worker.running()) worker.restart()
  })
  await vi.waitFor(async () => expect((await world.workRow(killer))?.['poisoned_at']).toBeInstanceOf(Date), {
    timeout: 30_000,
    interval: 50,
  })
  await supervisor.stop()
  expect(worker.said.ready).toBe(4)
  const objectId = randomUUID()
  await world.pool.query('insert into engine_unit (id) values ($1)', [objectId])
  await ring(world.pool, [{ kind: 'unit', objectId, tenantId }])
  await vi.waitFor(
    async () => {
      expect(await world.database.sql('select step from engine_unit')).toEqual([{ step: 5 }])
    },
    { timeout: 10_000, interval: 50 },
  )
})
