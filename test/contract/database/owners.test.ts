import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { appRoleName } from '../../../server/src/engine/database/app-role.ts'
import { openWorkerPool } from '../../../server/src/engine/database/database.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { migrate } from '../../../server/src/store/migrate.ts'
import { openDatabase } from '../../../server/src/store/database.ts'
import { databaseUrl, runSql } from '../../support/postgres/server.ts'

const log = createLog('silent')

interface OwnedDatabase {
  name: string
  owner: string
  url: string
  /** Runs a statement as superuser. */
  sql: (statement: string) => Promise<Record<string, unknown>[]>
}

/** Creates an empty database and a login role with these rights. */
async function aDatabaseOf(
  rights: string,
  { isOwner = true } = {},
): Promise<OwnedDatabase & AsyncDisposable> {
  const socketDir = inject('postgresSocketDir')
  const [name, owner] = [0, 1].map(() => `o_${randomBytes(6).toString('hex')}`)
  if (!name || !owner) throw new TypeError('two names are needed')
  const asSuperuser = (statement: string) => runSql(socketDir, 'postgres', statement)
  await asSuperuser(`create role ${owner} login ${rights}`)
  await asSuperuser(`create database ${name}${isOwner ? ` owner ${owner}` : ''}`)
  const url = databaseUrl(socketDir, name).replace(/:\/\/[^@/]+@/, `://${owner}@`)
  return {
    name,
    owner,
    url,
    sql: (statement) => runSql(socketDir, name, statement),
    async [Symbol.asyncDispose]() {
      await asSuperuser(`drop database ${name} with (force)`)
      await asSuperuser(`drop role ${owner}`)
      await asSuperuser(`drop role if exists ${appRoleName(name)}`)
    },
  }
}

const tenants = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']

/** Opens the database as Berth does, and returns the tenants that each scope sees. */
async function observedBy(
  url: string,
): Promise<{ role: string; platform: number; tenant: number }> {
  const background = openWorkerPool(url, log)
  const database = await openDatabase({ url, log })
  try {
    for (const id of tenants)
      await background.query(
        'insert into tenant (id, name, slug, namespace) values ($1, $2, $2, $2)',
        [id, `t-${id.slice(0, 4)}`],
      )
    const { rows } = await background.query<{ role: string; count: number }>(
      'select current_user::text as role, count(*)::int from tenant group by 1',
    )
    const client = await database.pool.connect()
    await client.query(`select set_config('berth.tenant', $1, false)`, [tenants[0]])
    const own = await client.query('select from tenant')
    client.release(true)
    return {
      role: rows[0]?.role ?? '',
      platform: rows[0]?.count ?? 0,
      tenant: own.rowCount ?? 0,
    }
  } finally {
    await background.end()
    await database.close()
  }
}

describe('an ordinary owner', () => {
  test('an owner without further rights migrates its database, and row level security separates tenants', async () => {
    await using owned = await aDatabaseOf('nocreaterole')
    await Promise.all([migrate(owned.url, log), migrate(owned.url, log)])
    expect(await observedBy(owned.url)).toEqual({ role: owned.owner, platform: 2, tenant: 1 })
  })

  test('an owner that may create roles gets an application role of this database', async () => {
    await using owned = await aDatabaseOf('createrole')
    await using second = await aDatabaseOf('createrole')
    for (const { url, name } of [owned, second]) {
      await migrate(url, log)
      expect(await observedBy(url)).toEqual({ role: appRoleName(name), platform: 2, tenant: 1 })
    }
  })

  test('an owner uses the application role that an administrator made for it', async () => {
    await using owned = await aDatabaseOf('nocreaterole')
    const role = appRoleName(owned.name)
    await owned.sql(`create role ${role} nologin; grant ${role} to ${owned.owner}`)
    await migrate(owned.url, log)
    expect((await observedBy(owned.url)).role).toBe(role)
  })

  test('a later migration of an ordinary owner changes the rows of all tenants', async () => {
    await using owned = await aDatabaseOf('nocreaterole')
    await migrate(owned.url, log)
    await observedBy(owned.url)
    const { runMigrations } = await import('../../../server/src/engine/database/run-migrations.ts')
    const { migrationFiles } = await import('../../../server/src/store/migrate.ts')
    const later = { name: '9998-later', sql: `update tenant set description = 'later'` }
    await runMigrations(owned.url, [...migrationFiles(), later], { log })
    expect(await owned.sql(`select id from tenant where description = 'later'`)).toHaveLength(2)
  })

  test('the first free address of a network is found without a setting of the function', async () => {
    await using owned = await aDatabaseOf('nocreaterole')
    await migrate(owned.url, log)
    const client = new pg.Client({ connectionString: owned.url })
    await client.connect()
    try {
      await client.query(`select set_config('berth.scope', 'tenant', false)`)
      const { rows } = await client.query(
        `select host(next_free_address(gen_random_uuid(), '{10.0.0.5}', '{10.0.0.9}')) as free, current_setting('berth.scope') as scope`,
      )
      expect(rows).toEqual([{ free: '10.0.0.5', scope: 'tenant' }])
    } finally {
      await client.end()
    }
  })
})

describe('missing rights', () => {
  test('a user that does not own the database is told which rights it lacks', async () => {
    await using owned = await aDatabaseOf('nocreaterole', { isOwner: false })
    await expect(migrate(owned.url, log)).rejects.toMatchObject({
      user: owned.owner,
      rights: [`CREATE on the database ${owned.name}`, 'CREATE on the schema public'],
    })
  })

  test('an owner that bypasses row level security needs an application role', async () => {
    await using owned = await aDatabaseOf('nocreaterole bypassrls')
    await expect(migrate(owned.url, log)).rejects.toMatchObject({
      rights: [`CREATEROLE, or membership in the role ${appRoleName(owned.name)}`],
    })
  })
})

describe('settings of an external PostgreSQL', () => {
  test('no connection of Berth compiles queries when the database does so by default', async () => {
    await using owned = await aDatabaseOf('nocreaterole')
    await migrate(owned.url, log)
    await owned.sql(`alter database ${owned.name} set jit = on`)
    const background = openWorkerPool(owned.url, log)
    const database = await openDatabase({ url: owned.url, log })
    try {
      for (const pool of [background, database.pool])
        expect((await pool.query('show jit')).rows).toEqual([{ jit: 'off' }])
    } finally {
      await background.end()
      await database.close()
    }
  })

  test('a start analyzes the table of one row that the change log is read with', async () => {
    await using owned = await aDatabaseOf('nocreaterole')
    await migrate(owned.url, log)
    await owned.sql(
      `update pg_class set reltuples = -1, relpages = 0 where relname = 'change_horizon'`,
    )
    await migrate(owned.url, log)
    expect(
      await owned.sql(`select reltuples from pg_class where relname = 'change_horizon'`),
    ).toEqual([{ reltuples: 1 }])
  })
})
