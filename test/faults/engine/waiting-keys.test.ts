import { expect, test } from 'vitest'
import { enqueueWork } from '../../../server/src/engine/reconcile/enqueue-work.ts'
import { type Outcome, waiting } from '../../../server/src/engine/reconcile/reconciler.ts'
import { anEngineWorld } from '../../support/engine/world.ts'

/** Passes of one key that change nothing. */
async function aWaitingKey(outcome: Outcome) {
  const world = await anEngineWorld()
  const key = await world.aKey('unit', await world.aTenant())
  const work = world.openWork('one')
  /** Runs a pass, and returns the seconds until the key is due again. */
  const pass = async (): Promise<number> => {
    await world.database.sql('update work set due_at = clock_timestamp()')
    const [lease] = (await work.claim({ kinds: ['unit'], limit: 1 })).leases
    if (!lease) throw new Error('the key is not due')
    await work.finish(lease, outcome)
    const [row] = await world.database.sql(
      'select extract(epoch from due_at - clock_timestamp())::float8 as seconds from work',
    )
    return Number(row?.['seconds'])
  }
  const delaysOf = async (count: number): Promise<number[]> => {
    const delays: number[] = []
    while (delays.length < count) delays.push(Math.round((await pass()) * 2) / 2)
    return delays
  }
  return { world, key, delaysOf }
}

const forOperator = waiting(10_000, 60_000)

test('a key whose passes change nothing is due less and less often, up to a limit', async () => {
  const { world, delaysOf } = await aWaitingKey(waiting(500))
  await using _world = world
  expect(await delaysOf(7)).toEqual([0.5, 1, 2, 4, 5, 5, 5])
})

test('a key may wait up to a longer limit of its own', async () => {
  const { world, delaysOf } = await aWaitingKey(forOperator)
  await using _world = world
  expect(await delaysOf(5)).toEqual([10, 20, 40, 60, 60])
})

test('an event makes a key that waits for long due at once, and begins its backoff again', async () => {
  const { world, key, delaysOf } = await aWaitingKey(forOperator)
  await using _world = world
  await delaysOf(5)
  await enqueueWork(world.pool, [key])
  expect(await world.database.sql('select due_at <= clock_timestamp() as due from work')).toEqual([
    { due: true },
  ])
  expect(await delaysOf(2)).toEqual([10, 20])
})

test('a full pass brings no news, so a waiting key keeps its pace', async () => {
  const { world, key, delaysOf } = await aWaitingKey(forOperator)
  await using _world = world
  await delaysOf(5)
  await enqueueWork(world.pool, [key], { isFullPass: true })
  expect(await delaysOf(2)).toEqual([60, 60])
})

test('the many events of a cluster that makes progress keep the backoff of a short wait', async () => {
  const { world, key, delaysOf } = await aWaitingKey(waiting(500))
  await using _world = world
  await delaysOf(7)
  await enqueueWork(world.pool, [key])
  expect(await delaysOf(1)).toEqual([5])
})

test('a change of the desired state begins the backoff of a waiting key again', async () => {
  const { world, key, delaysOf } = await aWaitingKey(waiting(500))
  await using _world = world
  await delaysOf(7)
  await enqueueWork(world.pool, [key], { fresh: true })
  expect(await delaysOf(2)).toEqual([0.5, 1])
})
