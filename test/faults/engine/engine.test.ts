import { expect, test, vi } from 'vitest'
import { ClusterError } from '../../../server/src/engine/kube/cluster-error.ts'
import { Fault } from '../../../server/src/engine/model/fault.ts'
import { messageOf } from '../../../server/src/engine/model/message.ts'
import { startReconcileLoop } from '../../../server/src/engine/reconcile/loop.ts'
import { type Reconciler } from '../../../server/src/engine/reconcile/reconciler.ts'
import { inTransaction } from '../../../server/src/engine/database/sql/sql-client.ts'
import { type Lease, LeaseLost } from '../../../server/src/engine/reconcile/work-lease.ts'
import { enqueueWork } from '../../../server/src/engine/reconcile/enqueue-work.ts'
import { type Work } from '../../../server/src/engine/reconcile/work.ts'
import { anEngineWorld, quiet } from '../../support/engine/world.ts'

const within = { timeout: 30_000, interval: 20 }

const taken = async (work: Work, kind: string, limit: number): Promise<Lease[]> =>
  (await work.claim({ kinds: [kind], limit })).leases

async function claimOne(work: Work, kind: string): Promise<Lease> {
  return vi.waitFor(async () => {
    const [lease] = await taken(work, kind, 1)
    expect(lease).toBeDefined()
    return lease as Lease
  }, within)
}

test('a key is held by one worker only, and is removed when no work is left', async () => {
  await using world = await anEngineWorld()
  const key = await world.aKey('unit', await world.aTenant())
  const [one, two] = [world.openWork('one'), world.openWork('two')]
  const claims = await Promise.all([one, two, one, two].map((work) => taken(work, 'unit', 1)))
  const leases = claims.flat()
  expect(leases).toHaveLength(1)
  await one.finish(leases[0] as Lease, { again: null })
  expect(await world.workRow(key)).toBeUndefined()
})

test('a notification during a run is not lost', async () => {
  await using world = await anEngineWorld()
  const key = await world.aKey('unit', await world.aTenant())
  const work = world.openWork('one')
  const lease = await claimOne(work, 'unit')
  await enqueueWork(world.pool, [key])
  await work.finish(lease, { again: null })
  const next = await claimOne(work, 'unit')
  expect(next).toMatchObject({ objectId: key.objectId, attempts: 1 })
  expect(BigInt(next.epoch)).toBeGreaterThan(BigInt(lease.epoch))
})

test('a notification that commits while the run finishes is not lost', async () => {
  await using world = await anEngineWorld()
  const key = await world.aKey('unit', await world.aTenant())
  const work = world.openWork('one')
  const lease = await claimOne(work, 'unit')
  const finishing = await inTransaction(world.pool, async (client) => {
    await enqueueWork(client, [key])
    const finish = work.finish(lease, { again: null })
    await vi.waitFor(async () => {
      const waiting = await world.database.sql(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      expect(waiting).not.toEqual([])
    }, within)
    return { finish }
  })
  await finishing.finish
  expect((await claimOne(work, 'unit')).objectId).toBe(key.objectId)
})

test('a worker that is paused past its lease changes nothing, even when the key was finished and enqueued again', async () => {
  await using world = await anEngineWorld()
  const key = await world.aKey('unit', await world.aTenant())
  const fenced = vi.fn()
  const zombie = world.openWork('zombie', { leaseMs: 50, onFenced: fenced })
  const old = await claimOne(zombie, 'unit')
  const successor = world.openWork('successor')
  await successor.finish(await claimOne(successor, 'unit'), { again: null })
  await enqueueWork(world.pool, [key])
  const current = await claimOne(successor, 'unit')
  expect(current.objectId).toBe(key.objectId)

  expect(await zombie.renew(old)).toBe(false)
  await expect(zombie.finish(old, { again: null })).rejects.toBeInstanceOf(LeaseLost)
  await expect(zombie.fail(old, { error: 'x', delayMs: 0, attempts: 1 })).rejects.toBeInstanceOf(
    LeaseLost,
  )
  await expect(zombie.poison(old, 'x')).rejects.toBeInstanceOf(LeaseLost)
  await zombie.release(old)
  const write = inTransaction(world.pool, async (client) => {
    await zombie.assertHeld(client, old)
    await client.query(`update tenant set description = 'by a zombie'`)
  })
  await expect(write).rejects.toBeInstanceOf(LeaseLost)
  expect(fenced).toHaveBeenCalledTimes(6)
  expect(await world.database.sql(`select 1 from tenant where description <> ''`)).toEqual([])
  expect(await world.workRow(key)).toMatchObject({
    lease_epoch: current.epoch,
    lease_owner: 'successor',
  })
})

test('a key in an open fenced transaction cannot be taken over, but can be enqueued', async () => {
  await using world = await anEngineWorld()
  const key = await world.aKey('unit', await world.aTenant())
  const holder = world.openWork('holder', { leaseMs: 300 })
  const lease = await claimOne(holder, 'unit')
  const thief = world.openWork('thief')
  await inTransaction(world.pool, async (client) => {
    await holder.assertHeld(client, lease)
    await enqueueWork(world.pool, [key])
    await vi.waitFor(async () => {
      const [row] = await world.database.sql(
        'select lease_until < clock_timestamp() as lapsed from work',
      )
      expect(row).toEqual({ lapsed: true })
    }, within)
    expect(await taken(thief, 'unit', 1)).toEqual([])
  })
  expect(await claimOne(thief, 'unit')).toMatchObject({ objectId: key.objectId })
})

test('a released key is due at once, and the attempt does not count', async () => {
  await using world = await anEngineWorld()
  await world.aKey('unit', await world.aTenant())
  const work = world.openWork('one')
  await work.release(await claimOne(work, 'unit'))
  const [lease] = await taken(work, 'unit', 1)
  expect(lease).toMatchObject({ attempts: 1 })
})

test('a tenant with a thousand waiting keys delays another tenant by at most two seconds', async () => {
  await using world = await anEngineWorld()
  const [busy, other] = [await world.aTenant(), await world.aTenant()]
  await world.keys('unit', busy, 1_000)
  const started = new Map<string, number>()
  const unit: Reconciler = {
    kind: 'unit',
    async reconcile(key, _lease, signal) {
      started.set(key.tenantId, quiet.clock.elapsedMs())
      // The steps of the busy tenant are so slow that its slots never become free during the test.
      await quiet.clock.sleep(key.tenantId === busy ? 60_000 : 1, signal)
      return { again: null }
    },
  }
  const loop = startReconcileLoop({
    ...quiet,
    work: world.openWork('one'),
    reconcilers: { unit },
    concurrency: 8,
  })
  await vi.waitFor(() => expect(started.has(busy)).toBe(true), within)
  const rungAt = quiet.clock.elapsedMs()
  await world.aKey('unit', other)
  await vi.waitFor(() => expect(started.has(other)).toBe(true), within)
  expect((started.get(other) ?? Infinity) - rungAt).toBeLessThan(2_000)
  await loop.stop(0)
})

test('slots go to the tenant with the fewest runs, and each key goes to one worker', async () => {
  await using world = await anEngineWorld()
  const [busy, other] = [await world.aTenant(), await world.aTenant()]
  await world.keys('unit', busy, 50)
  await taken(world.openWork('zero'), 'unit', 4)
  await world.keys('unit', other, 6)
  const dealt = await taken(world.openWork('one'), 'unit', 6)
  expect(dealt.filter(({ tenantId }) => tenantId === other)).toHaveLength(5)
  const workers = Array.from({ length: 8 }, (_, index) => world.openWork(`w${index}`))
  const all = await Promise.all(workers.map((work) => taken(work, 'unit', 10)))
  const ids = [...dealt, ...all.flat()].map(({ objectId }) => objectId)
  expect(new Set(ids).size).toBe(ids.length)
})

test('runs that end together leave no slot empty while keys are due', async () => {
  await using world = await anEngineWorld()
  await world.keys('unit', await world.aTenant(), 300)
  const together = Promise.withResolvers<null>()
  const unit: Reconciler = {
    kind: 'unit',
    reconcile: () => together.promise.then(() => ({ again: null })),
  }
  // No notification arrives, and the next poll would come after the test.
  const loop = startReconcileLoop({
    ...quiet,
    work: world.openWork('one'),
    reconcilers: { unit },
    pollMs: 600_000,
  })
  await vi.waitFor(() => expect(loop.running()).toBe(12), within)
  together.resolve(null)
  await vi.waitFor(
    async () =>
      expect(await world.database.sql('select count(*)::int as left from work')).toEqual([
        { left: 0 },
      ]),
    within,
  )
  await loop.stop(0)
})

test('a key that always fails is visibly given up after its attempts, and a fresh notification tries it again', async () => {
  await using world = await anEngineWorld()
  const tenantId = await world.aTenant()
  const key = await world.aKey('broken', tenantId)
  const gaveUp = vi.fn(() => Promise.resolve())
  const runs = vi.fn()
  const healthy = vi.fn()
  let mended = false
  const broken: Reconciler = {
    kind: 'broken',
    maxAttempts: 3,
    gaveUp,
    reconcile() {
      runs()
      return mended
        ? Promise.resolve({ again: null })
        : Promise.reject(new TypeError('cannot ever work'))
    },
  }
  const fine: Reconciler = {
    kind: 'fine',
    reconcile: async () => (healthy(), Promise.resolve({ again: null })),
  }
  const loop = startReconcileLoop({
    ...quiet,
    work: world.openWork('one'),
    reconcilers: { broken, fine },
    pollMs: 50,
  })
  await vi.waitFor(
    async () => expect((await world.workRow(key))?.['poisoned_at']).toBeInstanceOf(Date),
    within,
  )
  expect(await world.workRow(key)).toMatchObject({
    attempts: 3,
    last_error: 'cannot ever work',
    lease_until: null,
  })
  expect(gaveUp).toHaveBeenCalledTimes(1)

  await enqueueWork(world.pool, [key])
  const bystander = await world.aKey('fine', tenantId)
  await vi.waitFor(async () => expect(await world.workRow(bystander)).toBeUndefined(), within)
  expect(runs).toHaveBeenCalledTimes(3)
  expect(gaveUp).toHaveBeenCalledTimes(1)

  mended = true
  await enqueueWork(world.pool, [key], { fresh: true })
  loop.notify()
  await vi.waitFor(async () => expect(await world.workRow(key)).toBeUndefined(), within)
  await loop.stop()
})

test('a run that never returns loses its slot and its lease, and counts as failed', async () => {
  await using world = await anEngineWorld()
  const key = await world.aKey('stuck', await world.aTenant())
  const stuck: Reconciler = {
    kind: 'stuck',
    maxAttempts: 2,
    maxRunMs: 50,
    reconcile: () => new Promise(() => undefined),
  }
  const loop = startReconcileLoop({
    ...quiet,
    work: world.openWork('one'),
    reconcilers: { stuck },
    concurrency: 1,
    pollMs: 50,
  })
  await vi.waitFor(
    async () => expect((await world.workRow(key))?.['poisoned_at']).toBeInstanceOf(Date),
    within,
  )
  await vi.waitFor(() => expect(loop.running()).toBe(0), within)
  await loop.stop()
})

test.each([
  ['a fault', new Fault('cluster_unavailable', messageOf('capability.untold_now'))],
  [
    'a failed call',
    new ClusterError('no answer', { trouble: 'unreachable', call: 'get namespace', status: null }),
  ],
])('an outage of the cluster that %s reports never makes a key be given up', async (_, outage) => {
  await using world = await anEngineWorld()
  const key = await world.aKey('unit', await world.aTenant())
  let runs = 0
  const unit: Reconciler = {
    kind: 'unit',
    maxAttempts: 2,
    reconcile() {
      runs += 1
      if (runs <= 6) return Promise.reject(outage)
      return Promise.resolve({ again: null })
    },
  }
  const loop = startReconcileLoop({
    ...quiet,
    work: world.openWork('one'),
    reconcilers: { unit },
    pollMs: 20,
  })
  await vi.waitFor(async () => expect(await world.workRow(key)).toBeUndefined(), within)
  expect(runs).toBe(7)
  await loop.stop()
})

test('a run is aborted when its lease is lost, and its result does not count', async () => {
  await using world = await anEngineWorld()
  const key = await world.aKey('unit', await world.aTenant())
  let wasAborted = false
  const unit: Reconciler = {
    kind: 'unit',
    async reconcile(_key, _lease, signal) {
      await quiet.clock.sleep(60_000, signal)
      wasAborted = true
      return { again: null }
    },
  }
  const loop = startReconcileLoop({
    ...quiet,
    work: world.openWork('one', { leaseMs: 300 }),
    reconcilers: { unit },
    leaseMs: 300,
  })
  await vi.waitFor(() => expect(loop.running()).toBe(1), within)
  await world.database.sql(
    `update work set lease_epoch = nextval('work_epoch'), lease_owner = 'thief', lease_until = now() + interval '1 h'`,
  )
  await vi.waitFor(() => expect(wasAborted).toBe(true), within)
  await vi.waitFor(() => expect(loop.running()).toBe(0), within)
  expect(await world.workRow(key)).toMatchObject({ lease_owner: 'thief' })
  await loop.stop()
})

test('a stop waits for runs that end in time and releases all other keys at once', async () => {
  await using world = await anEngineWorld()
  const tenantId = await world.aTenant()
  const [quick, endless] = [
    await world.aKey('quick', tenantId),
    await world.aKey('endless', tenantId),
  ]
  const reconcilers: Record<string, Reconciler> = {
    quick: { kind: 'quick', reconcile: () => quiet.clock.sleep(150).then(() => ({ again: null })) },
    endless: { kind: 'endless', reconcile: () => new Promise(() => undefined) },
  }
  const loop = startReconcileLoop({ ...quiet, work: world.openWork('one'), reconcilers })
  await vi.waitFor(() => expect(loop.running()).toBe(2), within)
  await Promise.all([loop.stop(400), loop.stop(400)])
  expect(await world.workRow(quick)).toBeUndefined()
  expect(await world.workRow(endless)).toMatchObject({
    lease_until: null,
    attempts: 0,
    poisoned_at: null,
  })
  const [lease] = await taken(world.openWork('next'), 'endless', 1)
  expect(lease).toMatchObject({ objectId: endless.objectId })
})
