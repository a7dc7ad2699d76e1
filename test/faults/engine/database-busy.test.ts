import pg from 'pg'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { sealFromSecret } from '../../../server/src/runtime/seal.ts'
import { Secret } from '../../../server/src/runtime/config/secret.ts'
import { openDatabase } from '../../../server/src/store/database.ts'
import { storeOn } from '../../../server/src/store/store.ts'
import { runUnit } from '../../../server/src/engine/database/unit.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type FixtureContext, make } from '../../support/requests/request-fixtures.ts'
import { type WireAnswer } from '../../support/clients/http-client.ts'
import { aWorld, unique } from '../../support/world/world.ts'

let context: FixtureContext
beforeAll(async () => {
  const world = await aWorld()
  context = { world, tenant: await world.tenant() }
})

/** Opens a transaction of another client, as superuser. In a deadlock it is never the victim. */
async function aForeignTransaction(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: context.world.database.url })
  await client.connect()
  await client.query("begin; set local deadlock_timeout = '1min'")
  return client
}

const patch = (id: string, body: object, key?: string): Promise<WireAnswer> =>
  context.world.root.rest('PATCH', `/service-offerings/${id}`, {
    body,
    ...(key ? { headers: { 'idempotency-key': key } } : {}),
  })

const backends = (state: string): Promise<Record<string, unknown>[]> =>
  context.world.database.sql(
    `select pid from pg_stat_activity where datname = current_database() and usename is not null and query like '%service_offering%for update%' and ${state}`,
  )

const waitsForLock = (count = 1) =>
  waitFor(async () => (await backends(`wait_event_type = 'Lock'`)).length >= count, {
    what: 'the request to wait for the lock',
  })

const busy = ({ status, body, headers }: WireAnswer) => [
  status,
  body?.code,
  Number(headers['retry-after']) >= 1 && Number(headers['retry-after']) <= 2,
]

describe('mutations', () => {
  test('a mutation whose statements were planned before a new column is planned again', async () => {
    const offering = await make.offering(context)
    const patches = () =>
      Promise.all(Array.from({ length: 24 }, (_, at) => patch(offering.id, { cpu: at + 1 })))
    await patches()
    onTestFinished(
      async () =>
        void (await context.world.database.sql(
          'alter table service_offering drop column of_a_newer_build',
        )),
    )
    await context.world.database.sql(
      'alter table service_offering add column of_a_newer_build text',
    )
    expect((await patches()).map(({ status }) => status)).toEqual(
      Array.from({ length: 24 }, () => 200),
    )
  })

  test('a mutation that loses a deadlock runs again and succeeds once', async () => {
    const offering = await make.offering(context)
    const foreign = await aForeignTransaction()
    await foreign.query('select 1 from service_offering where id = $1 for update', [offering.id])
    const key = unique('deadlock')
    const answer = patch(offering.id, { cpu: 7 }, key)
    await waitsForLock()
    // Berth holds the claim of its key and waits for the row. The other client holds the row and
    // requests the same claim.
    const [holder] = await context.world.database.sql(
      `select actor_id, operation from audit_event where operation = 'createServiceOffering' limit 1`,
    )
    const claim = foreign.query(
      `insert into idempotency_key (scope, actor_id, operation, key_hash, body_hash) values ('00000000-0000-0000-0000-000000000000', $1, 'updateServiceOffering', sha256($2::bytea), '')`,
      [holder?.actor_id, key],
    )
    await expect(claim).resolves.toBeDefined()
    await foreign.query('rollback')
    await foreign.end()
    const { status, body } = await answer
    expect([status, body.service_offering.cpu]).toEqual([200, 7])
    // PostgreSQL updates the counters of a session with a delay.
    const counted = `select deadlocks from pg_stat_database where datname = current_database()`
    const deadlocks = async () => Number((await context.world.database.sql(counted))[0]?.deadlocks)
    await expect.poll(deadlocks, { timeout: 30_000 }).toBeGreaterThanOrEqual(1)
    const rows = await context.world.database.sql(
      `select 1 from audit_event where operation = 'updateServiceOffering' and target_id = '${offering.id}'`,
    )
    expect(rows).toHaveLength(1)
  })

  test.each([
    ['cancelled', 'pg_cancel_backend'],
    ['terminated', 'pg_terminate_backend'],
  ])('a mutation whose statement is %s returns 503 and changes nothing', async (_how, kill) => {
    const offering = await make.offering(context)
    const foreign = await aForeignTransaction()
    await foreign.query('select 1 from service_offering where id = $1 for update', [offering.id])
    const answer = patch(offering.id, { cpu: 9 })
    await waitsForLock()
    for (const { pid } of await backends(`wait_event_type = 'Lock'`))
      await context.world.database.sql(`select ${kill}(${Number(pid)})`)
    expect(busy(await answer)).toEqual([503, 'overloaded', true])
    await foreign.query('rollback')
    await foreign.end()
    const { body } = await patch(offering.id, {})
    expect(body.service_offering.cpu).toBe(1)
  })

  test('a mutation succeeds again after every connection was cut at once', async () => {
    await context.world.database.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )
    const first = await context.tenant.admin.rest('GET', '/roles')
    expect([200, 503]).toContain(first.status)
    await waitFor(
      async () =>
        (
          await context.tenant.admin.rest('POST', '/roles', {
            body: { name: unique('r'), permissions: [] },
          })
        ).status === 201,
      { what: 'the pool to heal' },
    )
    const { id } = (
      await context.world.root.rest('POST', '/tenants', {
        body: { slug: unique('after'), admin_password: 'long enough' },
      })
    ).body.tenant
    expect((await context.world.ended('create_tenant', id)).state).toBe('succeeded')
  })
})

describe('reads', () => {
  test('a read whose statement is cancelled or whose connection is cut returns 503, and the next one succeeds', async () => {
    for (const kill of ['pg_cancel_backend', 'pg_terminate_backend']) {
      const foreign = await aForeignTransaction()
      await foreign.query('lock table role in access exclusive mode')
      const answer = context.tenant.admin.rest('GET', '/roles')
      const waiting = () =>
        context.world.database.sql(
          `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%from "role"%'`,
        )
      await waitFor(async () => (await waiting()).length > 0, { what: 'the read to wait' })
      for (const { pid } of await waiting())
        await context.world.database.sql(`select ${kill}(${Number(pid)})`)
      expect(busy(await answer)).toEqual([503, 'overloaded', true])
      await foreign.query('rollback')
      await foreign.end()
      expect((await context.tenant.admin.rest('GET', '/roles')).status).toBe(200)
    }
  })

  test('a read and a unit that get no connection within five seconds are refused', async () => {
    const database = await openDatabase({
      url: context.world.database.url,
      log: createLog('silent'),
      poolSize: 1,
    })
    const deps = {
      database,
      clock: systemClock,
      seal: sealFromSecret(new Secret('x'.repeat(32)), 'answers'),
    }
    const held = await database.pool.connect()
    try {
      const started = performance.now()
      const read = storeOn(deps).reads('platform').tenants.findBySlug('default')
      const unit = runUnit(deps, { scope: 'platform', call: null, idempotency: null }, () =>
        Promise.resolve(),
      )
      for (const failing of [read, unit])
        await expect(failing).rejects.toMatchObject({ code: 'overloaded', retryAfterSeconds: 2 })
      expect(performance.now() - started).toBeLessThan(7_000)
    } finally {
      held.release()
      await database.close()
    }
  })
})
