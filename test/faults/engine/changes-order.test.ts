import { allChangeKinds } from '../../../server/src/domain/nouns.ts'
import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import type pg from 'pg'
import { type ChangeFeed, startChangeFeed } from '../../../server/src/engine/changes/feed.ts'
import { inTransaction } from '../../../server/src/engine/database/sql/sql-client.ts'
import { writeChange } from '../../support/engine/change-log.ts'
import { seededRandom } from '../../support/random.ts'
import {
  type EngineWorld,
  anEngineWorld,
  platformOptions,
  quiet,
} from '../../support/engine/world.ts'
import { testSeed } from '../../support/seed.ts'

const writers = 16
const writingMs = 7_000
const cutEveryMs = 2_000
const hotObjects = Array.from({ length: 8 }, () => randomUUID())

interface Observation {
  readonly last: Map<string, number>
  regressions: number
  gaps: number
  cursors: string[]
}

/**
 * Writes a new object and a contended object in each transaction, and delays the commit at random.
 */
async function writeChanges(
  world: EngineWorld,
  random: () => number,
  until: AbortSignal,
): Promise<string[]> {
  const ownIds: string[] = []
  while (!until.aborted) {
    await inTransaction(world.pool, async (client) => {
      ownIds.push(await writeChange(client, { tenantId: null, kind: 'user' }))
      await client.query('select pg_sleep($1)', [random() < 0.3 ? random() * 0.06 : 0])
      await writeHot(client, hotObjects[Math.floor(random() * hotObjects.length)] as string)
      await client.query('select pg_sleep($1)', [random() < 0.3 ? random() * 0.03 : 0])
    })
  }
  return ownIds
}

async function writeHot(client: pg.ClientBase, objectId: string): Promise<void> {
  const { rows } = await client.query<{ version: number }>(
    'update hot set version = version + 1 where id = $1 returning version',
    [objectId],
  )
  await writeChange(client, {
    tenantId: null,
    kind: 'role',
    objectId,
    version: rows[0]?.version ?? 0,
  })
}

function listen(feed: ChangeFeed): Observation {
  const observed: Observation = { last: new Map(), regressions: 0, gaps: 0, cursors: [] }
  const read = async (): Promise<void> => {
    for await (const delivery of feed.hub.subscribe({ scope: 'platform' })) {
      if (delivery.gap) {
        observed.gaps += 1
        continue
      }
      const { objectId, version } = delivery.change
      if (version <= (observed.last.get(objectId) ?? 0)) observed.regressions += 1
      observed.last.set(objectId, version)
    }
  }
  void read()
  return observed
}

/** Reconnects a client again and again with its last cursor. */
function reconnect(feed: ChangeFeed, until: AbortSignal): Observation {
  const observed: Observation = { last: new Map(), regressions: 0, gaps: 0, cursors: [] }
  let cursor = feed.hub.subscribe({ scope: 'platform', kinds: ['role'] }).cursor
  const read = async (): Promise<void> => {
    while (!until.aborted) {
      const subscription = feed.hub.subscribe({ scope: 'platform', kinds: ['role'], after: cursor })
      for (let count = 0; count < 20 && !until.aborted; count += 1) {
        const { value } = await subscription.next()
        if (!value || value.gap) break
        cursor = value.change.cursor
        if (value.change.version <= (observed.last.get(value.change.objectId) ?? 0))
          observed.regressions += 1
        observed.last.set(value.change.objectId, value.change.version)
      }
      subscription.close()
    }
  }
  void read()
  return observed
}

test(
  'the change feed loses no change and keeps the order with 16 writers and a doorbell cut every 2 s',
  { timeout: 60_000 },
  async () => {
    await using world = await anEngineWorld()
    await world.database.sql(
      'create table hot (id uuid primary key, version int not null default 0); grant select, update on hot to public',
    )
    for (const id of hotObjects) await world.database.sql(`insert into hot values ('${id}')`)
    const random = seededRandom(testSeed)

    const connection = {
      connectionString: world.database.url,
      options: platformOptions,
      application_name: 'doorbell',
    }
    const feed = await startChangeFeed({
      pool: world.pool,
      connection,
      kinds: allChangeKinds,
      ...quiet,
    })
    const over = new AbortController()
    const [observed, returning] = [listen(feed), reconnect(feed, over.signal)]
    await vi.waitFor(() => expect(feed.listening()).toBe(true), { timeout: 20_000 })

    let cuts = 0
    const cutter = quiet.clock.every(cutEveryMs, async () => {
      const cut = await world.database.sql(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'doorbell'`)
      cuts += cut.length
    })
    const until = AbortSignal.timeout(writingMs)
    const written = (
      await Promise.all(Array.from({ length: writers }, () => writeChanges(world, random, until)))
    ).flat()
    await cutter.stop()

    const newest = (await world.database.sql('select id, version from hot')) as {
      id: string
      version: number
    }[]
    await vi.waitFor(
      () => {
        const missed = written.filter((id) => !observed.last.has(id))
        const stale = newest.filter(
          ({ id, version }) =>
            observed.last.get(id) !== version || returning.last.get(id) !== version,
        )
        expect({ missed: missed.length, stale }).toEqual({ missed: 0, stale: [] })
      },
      { timeout: 20_000, interval: 50 },
    )
    expect({
      regressions: observed.regressions,
      returning: returning.regressions,
      gaps: observed.gaps,
    }).toEqual({
      regressions: 0,
      returning: 0,
      gaps: 0,
    })
    expect(cuts).toBeGreaterThanOrEqual(3)
    process.stdout.write(`${written.length} transactions, ${cuts} cuts of the doorbell\n`)
    over.abort()
    await feed.stop()
  },
)
