import { allChangeKinds } from '../../../server/src/domain/nouns.ts'
import { createServer, connect as connectTo } from 'node:net'
import { expect, test, vi } from 'vitest'
import { startDoorbell } from '../../../server/src/engine/changes/doorbell.ts'
import { type ChangeFeed, startChangeFeed } from '../../../server/src/engine/changes/feed.ts'
import { startTail } from '../../../server/src/engine/changes/follow.ts'
import { type Subscription } from '../../../server/src/engine/changes/subscription.ts'
import { openChangeLog } from '../../../server/src/engine/changes/tail.ts'
import { sweepChangeLog } from '../../../server/src/engine/database/change-log.ts'
import { changesOf, creationsOf, take, writeChange } from '../../support/engine/change-log.ts'
import {
  type EngineWorld,
  anEngineWorld,
  platformOptions,
  quiet,
} from '../../support/engine/world.ts'

const within = { timeout: 30_000, interval: 20 }

const startFeedOn = (world: EngineWorld): Promise<ChangeFeed> =>
  startChangeFeed({
    kinds: allChangeKinds,
    pool: world.pool,
    connection: { connectionString: world.database.url, options: platformOptions },
    ...quiet,
  })

/** Resolves when the tail has delivered everything that is committed now. */
async function untilDelivered(world: EngineWorld, feed: ChangeFeed): Promise<void> {
  const subscription = feed.hub.subscribe({ scope: 'platform', kinds: ['api_key'] })
  await writeChange(world.pool, { tenantId: null, kind: 'api_key' })
  expect(await take(subscription, 1)).toHaveLength(1)
  subscription.close()
}

/** Returns the last version of every user up to the key that `untilDelivered` wrote. */
async function lastVersions(
  subscription: Subscription,
): Promise<{ id: string; version: number }[]> {
  const versions = new Map<string, number>()
  for await (const delivery of subscription) {
    if (delivery.gap) throw new Error('nothing of this log was swept')
    const { kind, objectId, version } = delivery.change
    if (kind === 'api_key') break
    versions.set(objectId, version)
  }
  return [...versions]
    .map(([id, version]) => ({ id, version }))
    .sort((left, right) => (left.id < right.id ? -1 : 1))
}

test('a tenant receives changes of its own objects and of the platform, limited to the requested kinds', async () => {
  await using world = await anEngineWorld()
  const feed = await startFeedOn(world)
  const [mine, other] = [await world.aTenant(), await world.aTenant()]
  const subscription = feed.hub.subscribe({
    scope: { tenantId: mine },
    kinds: ['tenant', 'service_offering'],
  })
  const everything = feed.hub.subscribe({ scope: 'platform' })
  await writeChange(world.pool, { tenantId: other })
  await writeChange(world.pool, { tenantId: mine, kind: 'user' })
  const first = await writeChange(world.pool, { tenantId: mine })
  const second = await writeChange(world.pool, { tenantId: null, kind: 'service_offering' })
  expect(changesOf(await take(subscription, 2)).map(({ objectId }) => objectId)).toEqual([
    first,
    second,
  ])
  expect(await take(everything, 4)).toHaveLength(4)
  await feed.stop()
  expect(await subscription.next()).toEqual({ done: true, value: undefined })
})

test('a subscriber that does not read uses a bounded queue and still gets the last version of every object', async () => {
  await using world = await anEngineWorld()
  const feed = await startFeedOn(world)
  const [sleeper, reader] = [
    feed.hub.subscribe({ scope: 'platform' }),
    feed.hub.subscribe({ scope: 'platform' }),
  ]
  const read = lastVersions(reader)
  await world.database.sql(`insert into change_log (tenant_id, kind, object_id, version)
    select null, 'user', md5((n % 1500)::text)::uuid, 1 + n / 1500 from generate_series(0, 2999) n`)
  const written = await world.database.sql(
    'select object_id id, max(version)::int as version from change_log group by 1 order by 1',
  )
  await untilDelivered(world, feed)
  expect(sleeper.queued).toBeLessThanOrEqual(256)
  expect(await lastVersions(sleeper)).toEqual(written)
  expect(await read).toEqual(written)
  await feed.stop()
})

test('an object that changes faster than its subscriber reads is delivered once, with its latest version', async () => {
  await using world = await anEngineWorld()
  const feed = await startFeedOn(world)
  const subscription = feed.hub.subscribe({ scope: 'platform', kinds: ['tenant', 'user'] })
  const hot = await writeChange(world.pool, { tenantId: null })
  const between = await writeChange(world.pool, { tenantId: null, kind: 'user' })
  for (const version of [2, 3, 4])
    await writeChange(world.pool, { tenantId: null, objectId: hot, version })
  await untilDelivered(world, feed)
  const deliveries = await take(subscription, 2)
  expect(changesOf(deliveries)).toEqual([
    { objectId: between, version: 1 },
    { objectId: hot, version: 4 },
  ])
  await feed.stop()
})

test('a new object is delivered as a creation once, even when later changes replace the first one', async () => {
  await using world = await anEngineWorld()
  const feed = await startFeedOn(world)
  const start = feed.hub.cursor()
  const live = feed.hub.subscribe({ scope: 'platform', kinds: ['tenant'] })
  const objectId = await writeChange(world.pool, { tenantId: null })
  await writeChange(world.pool, { tenantId: null, objectId, version: 2 })
  await untilDelivered(world, feed)
  const resumed = feed.hub.subscribe({ scope: 'platform', kinds: ['tenant'], after: start })
  for (const subscription of [live, resumed])
    expect(creationsOf(await take(subscription, 1))).toEqual([objectId])
  await writeChange(world.pool, { tenantId: null, objectId, version: 3 })
  for (const subscription of [live, resumed])
    expect(creationsOf(await take(subscription, 1))).toEqual([])
  await feed.stop()
})

test('a subscriber that returns with its cursor gets the missed changes once, and then live ones', async () => {
  await using world = await anEngineWorld()
  const feed = await startFeedOn(world)
  const first = feed.hub.subscribe({ scope: 'platform' })
  await writeChange(world.pool, { tenantId: null })
  const [firstDelivery] = await take(first, 1)
  const cursor = firstDelivery && !firstDelivery.gap ? firstDelivery.change.cursor : ''
  first.close()
  const missed: string[] = []
  for (let count = 0; count < 300; count += 1)
    missed.push(await writeChange(world.pool, { tenantId: null, kind: 'user' }))
  const second = feed.hub.subscribe({ scope: 'platform', after: cursor })
  const caughtUp = changesOf(await take(second, 300)).map(({ objectId }) => objectId)
  expect(caughtUp).toEqual(missed)
  const live = await writeChange(world.pool, { tenantId: null })
  expect(changesOf(await take(second, 1))).toEqual([{ objectId: live, version: 1 }])
  await feed.stop()
})

test('an older version that a slow transaction commits after a newer one is never delivered, even after a resume', async () => {
  await using world = await anEngineWorld()
  const feed = await startFeedOn(world)
  const subscription = feed.hub.subscribe({ scope: 'platform', kinds: ['tenant'] })
  const slow = await world.pool.connect()
  await slow.query('begin')
  await slow.query('select pg_current_xact_id()')
  const objectId = await writeChange(world.pool, { tenantId: null, version: 1 })
  await writeChange(slow, { tenantId: null, objectId, version: 2 })
  expect(
    await take(subscription, 1, 300),
    'nothing may be read past a running transaction',
  ).toEqual([])
  await slow.query('commit')
  slow.release()
  const later = feed.hub.subscribe({
    scope: 'platform',
    kinds: ['tenant'],
    after: subscription.cursor,
  })
  const end = await writeChange(world.pool, { tenantId: null })
  const expected = [
    { objectId, version: 2 },
    { objectId: end, version: 1 },
  ]
  const deliveries = await take(later, 2)
  expect(changesOf(deliveries)).toEqual(expected)
  expect(creationsOf(deliveries), 'a dropped first version').toEqual([objectId, end])
  await feed.stop()
})

test('a gap that retention caused is announced, and live changes follow', async () => {
  await using world = await anEngineWorld()
  const feed = await startFeedOn(world)
  const first = feed.hub.subscribe({ scope: 'platform' })
  const cursor = first.cursor
  await writeChange(world.pool, { tenantId: null })
  const [retained] = await take(first, 1)
  const retainedCursor = retained && !retained.gap ? retained.change.cursor : ''
  await world.database.sql(`update change_log set at = at - interval '25 h'`)
  const young = await writeChange(world.pool, { tenantId: null })
  expect(await sweepChangeLog(world.pool, { olderThanMs: 24 * 3_600_000, batch: 1_000 })).toBe(1)

  // The client that is in time subscribes first. Another transaction may hold back the young
  // change, which would then be live for the late client.
  const inTime = feed.hub.subscribe({ scope: 'platform', after: retainedCursor })
  expect(changesOf(await take(inTime, 1))).toEqual([{ objectId: young, version: 1 }])
  const late = feed.hub.subscribe({ scope: 'platform', after: cursor })
  expect((await take(late, 1)).map(({ gap }) => gap)).toEqual([true])
  const live = await writeChange(world.pool, { tenantId: null })
  expect(changesOf(await take(late, 1))).toEqual([{ objectId: live, version: 1 }])
  await feed.stop()
})

test.each([
  ['another incarnation of the database', 'ffffffffffff.1', true],
  ['the beginning of the log', '0.0', false],
])('a cursor from %s reports gap %s', async (_, after, gap) => {
  await using world = await anEngineWorld()
  const feed = await startFeedOn(world)
  await writeChange(world.pool, { tenantId: null })
  const [first] = await take(feed.hub.subscribe({ scope: 'platform', after }), 1)
  expect(first?.gap).toBe(gap)
  await feed.stop()
})

test('a text that is no cursor is refused and leaves no subscription behind', async () => {
  await using world = await anEngineWorld()
  const feed = await startFeedOn(world)
  for (const after of [
    'x',
    '1',
    '1.',
    '.1',
    '1.1.1',
    '-1.1',
    '1.1 ',
    'g.1',
    '11111111111111111.1',
    '1.ffffffffffffffff',
  ]) {
    const subscribe = (): unknown => feed.hub.subscribe({ scope: 'platform', after })
    expect(subscribe, after).toThrow(expect.objectContaining({ code: 'invalid_input' }))
  }
  expect(feed.hub.subscriptions()).toBe(0)
  await feed.stop()
})

test('a half-open doorbell is detected by its ping and replaced', async () => {
  await using world = await anEngineWorld()
  const socketPath = `${decodeURIComponent(new URL(world.database.url).hostname)}/.s.PGSQL.5432`
  let deaf = false
  // Keeps the client's socket open and swallows everything once deaf, like a dead peer behind a
  // firewall.
  const proxy = createServer((client) => {
    const upstream = connectTo(socketPath)
    const deafened = deaf
    client.on('data', (bytes) => void (deaf && !deafened ? null : upstream.write(bytes)))
    upstream.on('data', (bytes) => void (deaf && !deafened ? null : client.write(bytes)))
    client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const onNotify = vi.fn()
  const user = new URL(world.database.url).username || 'postgres'
  const connection = { host: '127.0.0.1', port, user, database: world.database.name }
  const doorbell = startDoorbell({
    connection,
    ...quiet,
    onNotification: onNotify,
    pingMs: 100,
    timeoutMs: 300,
  })
  await vi.waitFor(() => expect(doorbell.connected()).toBe(true), within)
  deaf = true
  // Each new connection notifies once. The time without a connection may be too short to be
  // observed.
  onNotify.mockClear()
  await vi.waitFor(() => expect(onNotify).toHaveBeenCalled(), within)
  expect(doorbell.connected()).toBe(true)
  onNotify.mockClear()
  await writeChange(world.pool, { tenantId: null })
  await vi.waitFor(() => expect(onNotify).toHaveBeenCalled(), within)
  await doorbell.stop()
  proxy.close()
})

test('a burst of commits is read together, and none of them is missed', async () => {
  await using world = await anEngineWorld()
  const log = openChangeLog(world.pool, allChangeKinds)
  const reads: number[] = []
  const received: string[] = []
  const tail = await startTail({
    ...quiet,
    pollMs: 600_000,
    changeLog: {
      read(from) {
        reads.push(performance.now())
        return log.read(from)
      },
    },
    onPage: ({ changes }) => received.push(...changes.map(({ change }) => change.objectId)),
  })
  const written: string[] = []
  for (let each = 0; each < 60; each += 1) {
    written.push(await writeChange(world.pool, { tenantId: null, kind: 'user' }))
    tail.notify()
  }
  // Another transaction may hold the log back; the next notification then reads it.
  await vi.waitFor(() => {
    tail.notify()
    expect(received).toEqual(written)
  }, within)
  await tail.stop()
  const [, ...ofTail] = reads
  const apart = ofTail.slice(1).map((readAt, index) => readAt - (ofTail[index] ?? 0))
  expect(Math.min(...apart)).toBeGreaterThan(20)
})
