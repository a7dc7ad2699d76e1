import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { enqueueWork } from '../../../server/src/engine/reconcile/enqueue-work.ts'
import {
  WorkerProcess,
  anEngineCluster,
  disturb,
  workerPlan,
} from '../../support/engine/nemesis.ts'
import { seededRandom } from '../../support/random.ts'
import {
  type EngineWorld,
  aSeparateDatabase,
  anEngineWorld,
  quiet,
} from '../../support/engine/world.ts'
import { testSeed } from '../../support/seed.ts'

const units = 1_000
const tenants = 10
const pauseMs = 5_000
// Two workers with ten rounds each of one pause and one kill: 20 SIGSTOP and 20 SIGKILL in about a
// minute.
const rounds = 10

/** Enqueues units during the whole minute, so that work is in flight at every fault. */
async function enqueueUnits(world: EngineWorld): Promise<void> {
  const tenantIds = await Promise.all(Array.from({ length: tenants }, () => world.aTenant()))
  const batches = 50
  let enqueued = 0
  const timer = quiet.clock.every(1_000, async () => {
    if (enqueued >= units) return
    const ids = Array.from({ length: units / batches }, () => randomUUID())
    enqueued += ids.length
    await world.pool.query('insert into engine_unit (id) select unnest($1::uuid[])', [ids])
    await enqueueWork(
      world.pool,
      ids.map((objectId, index) => ({
        kind: 'unit',
        objectId,
        tenantId: tenantIds[index % tenants] as string,
      })),
    )
  })
  await vi.waitFor(() => expect(enqueued).toBe(units), { timeout: 90_000, interval: 100 })
  await timer.stop()
}

// The tests run together, because they spend their time waiting for leases to expire.
test.concurrent(
  'two workers with 20 kills and 20 pauses complete 1,000 units of 5 steps exactly once',
  { timeout: 300_000 },
  async () => {
    await using world = await anEngineWorld(await aSeparateDatabase())
    await anEngineCluster(world)
    const random = seededRandom(testSeed)
    const trouble = { do: 'error', chance: 0.05, at: 'unit.*' } as const
    const failpoints = {
      seed: testSeed,
      rules: [
        { ...trouble, where: 'before' },
        { ...trouble, where: 'after' },
      ],
    } as const
    await using one = new WorkerProcess(workerPlan(world, { failpoints }))
    await using two = new WorkerProcess(workerPlan(world, { failpoints }))

    const enqueueing = enqueueUnits(world)
    const began = quiet.clock.elapsedMs()
    // The second worker starts half a pause later. Each is therefore awake when the leases of the
    // other have expired, and before the other continues.
    const later = quiet.clock
      .sleep(pauseMs * 0.6)
      .then(() => disturb(two, random, { rounds, pauseMs }))
    await Promise.all([disturb(one, random, { rounds, pauseMs }), later])
    const tormentedMs = quiet.clock.elapsedMs() - began
    await enqueueing
    await vi.waitFor(
      async () => {
        expect(await world.database.sql('select count(*)::int as waiting from work')).toEqual([
          { waiting: 0 },
        ])
      },
      { timeout: 120_000, interval: 250 },
    )

    const [figures] = await world.database.sql(`
    select count(*)::int as done,
           (select count(*)::int from engine_record) as recorded,
           (select count(*)::int from (select from engine_record group by unit, step having count(*) > 1)) as twice,
           (select count(*)::int from engine_object) as objects
      from engine_unit where step = 5 and done_at is not null`)
    const outOfOrder = await world.database.sql(`
    select unit from (select unit, step, row_number() over (partition by unit order by id) as nth from engine_record) r where step <> nth limit 5`)
    const [latency] = await world.database.sql(`
    select percentile_cont(array[0.5, 0.95, 1]) within group (order by extract(epoch from done_at - created_at)) as seconds from engine_unit`)
    const fenced = one.events.fenced + two.events.fenced
    const starts = one.events.ready + two.events.ready
    process.stdout.write(
      `${JSON.stringify({ tormentedMs, starts, fenced, ...figures, p50_p95_max: latency?.['seconds'] })}\n`,
    )

    expect([...one.errors, ...two.errors]).toEqual([])
    expect(figures).toEqual({ done: units, recorded: units * 5, twice: 0, objects: units * 5 })
    expect(outOfOrder).toEqual([])
    expect(fenced).toBeGreaterThan(0)
  },
)

test.concurrent(
  'the work of a killed worker continues elsewhere within 15 s with the real lease',
  { timeout: 120_000 },
  async () => {
    await using world = await anEngineWorld()
    await anEngineCluster(world)
    const tenantId = await world.aTenant()
    const objectId = randomUUID()
    await world.pool.query('insert into engine_unit (id) values ($1)', [objectId])
    // The worker dies between claim and record of the third step, as in a crash, so the lease stays
    // behind.
    const failpoints = { rules: [{ at: 'unit.step3', where: 'after', do: 'kill' }] } as const
    await using doomed = new WorkerProcess(workerPlan(world, { leaseMs: 10_000, failpoints }))
    await enqueueWork(world.pool, [{ kind: 'unit', objectId, tenantId }])
    await vi.waitFor(() => expect(doomed.running()).toBe(false), { timeout: 20_000, interval: 10 })
    const diedAt = quiet.clock.elapsedMs()
    await using heir = new WorkerProcess(workerPlan(world, { leaseMs: 10_000 }))
    await vi.waitFor(() => expect(heir.events.claimed).toBeGreaterThan(0), {
      timeout: 20_000,
      interval: 10,
    })
    expect(quiet.clock.elapsedMs() - diedAt).toBeLessThan(15_000)
    await vi.waitFor(
      async () => {
        expect(await world.database.sql('select step from engine_unit')).toEqual([{ step: 5 }])
      },
      { timeout: 30_000, interval: 50 },
    )
    expect(await world.database.sql('select step from engine_record order by id')).toEqual(
      [1, 2, 3, 4, 5].map((step) => ({ step })),
    )
  },
)

test.concurrent(
  'a key that kills its worker is given up after its attempts, and other keys continue',
  { timeout: 120_000 },
  async () => {
    await using world = await anEngineWorld()
    await anEngineCluster(world)
    const tenantId = await world.aTenant()
    const killer = await world.aKey('killer', tenantId)
    await using worker = new WorkerProcess(workerPlan(world, { leaseMs: 300 }))
    const supervisor = quiet.clock.every(20, () => {
      if (!worker.running()) worker.restart()
    })
    await vi.waitFor(
      async () => expect((await world.workRow(killer))?.['poisoned_at']).toBeInstanceOf(Date),
      {
        timeout: 30_000,
        interval: 50,
      },
    )
    await supervisor.stop()
    expect(worker.events.ready).toBe(4)
    const objectId = randomUUID()
    await world.pool.query('insert into engine_unit (id) values ($1)', [objectId])
    await enqueueWork(world.pool, [{ kind: 'unit', objectId, tenantId }])
    await vi.waitFor(
      async () => {
        expect(await world.database.sql('select step from engine_unit')).toEqual([{ step: 5 }])
      },
      { timeout: 30_000, interval: 50 },
    )
  },
)
