import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { createLog } from '../../../server/src/runtime/log.ts'
import { openDatabase } from '../../../server/src/store/database.ts'
import { migrate, migrationFiles, sessionUrl } from '../../../server/src/store/migrate.ts'
import { openWorkerPool } from '../../../server/src/engine/database/database.ts'
import { runMigrations } from '../../../server/src/engine/database/run-migrations.ts'
import { nameSessions } from '../../../server/src/engine/database/schema-version.ts'
import { aDatabase } from '../../support/postgres/database.ts'

const log = createLog('silent')
const testDatabase = await aDatabase()
const database = await openDatabase({ url: testDatabase.url, log })
afterAll(() => database.close())

const columnsOf = (table: string) =>
  testDatabase.sql(`select column_name as name, is_nullable = 'YES' as nullable, udt_name as type
    from information_schema.columns where table_schema = 'public' and table_name = '${table}' order by 1`)

/** The names that PostgreSQL's catalog uses for the column types of the entities. */
const types: Readonly<Record<string, string>> = {
  int: 'int4',
  bigint: 'int8',
  boolean: 'bool',
  'double precision': 'float8',
  'text[]': '_text',
}

const tables = [...database.orm.getMetadata().getAll().values()].filter((meta) => !meta.abstract)

test.each(tables.map((meta) => [meta.tableName, meta] as const))(
  'the entity of %s matches its migrated table',
  async (table, meta) => {
    const declared = meta.props
      .map((property) => ({
        name: property.fieldNames[0],
        nullable: property.nullable ?? false,
        type: types[property.columnTypes[0] ?? ''] ?? property.columnTypes[0],
      }))
      .toSorted((a, b) => (String(a.name) < String(b.name) ? -1 : 1))
    const found = (await columnsOf(table))
      .map(({ name, nullable, type }) => ({ name, nullable, type }))
      .toSorted((a, b) => (String(a.name) < String(b.name) ? -1 : 1))
    expect(found).toEqual(declared)
  },
)

test('every table with a tenant has forced row level security', async () => {
  const open =
    await testDatabase.sql(`select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
    where n.nspname = 'public' and c.relkind = 'r' and not (c.relrowsecurity and c.relforcerowsecurity)`)
  expect(open).toEqual([])
})

test('every foreign key has an index that begins with its columns', async () => {
  const missing =
    await testDatabase.sql(`select c.conrelid::regclass::text as name, c.conname from pg_constraint c
    where c.contype = 'f' and not exists (select from pg_index i where i.indrelid = c.conrelid
      and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] <@ c.conkey)`)
  expect(missing).toEqual([])
})

test('the application role owns no table and cannot bypass row level security', async () => {
  const { pool } = database
  const { rows } = await pool.query<{ role: string }>('select current_user::text as role')
  const [role] = rows.map((row) => row.role)
  expect(role).toMatch(/^berth_app_/)
  expect(
    await testDatabase.sql(
      `select rolbypassrls, rolsuper, rolcreaterole from pg_roles where rolname = '${role}'`,
    ),
  ).toEqual([{ rolbypassrls: false, rolsuper: false, rolcreaterole: false }])
  expect(
    await testDatabase.sql(`select relname from pg_class where relowner = '${role}'::regrole`),
  ).toEqual([])
})

const ledger = `select name from berth_migration order by name collate "C"`

test('a migrated database has run every file, and a second migration changes nothing', async () => {
  const { url, sql } = await aDatabase()
  const before = await sql('select name, executed_at::text from berth_migration order by 1')
  expect(before.map(({ name }) => name)).toEqual(migrationFiles().map(({ name }) => name))
  await Promise.all([migrate(url, log), migrate(url, log)])
  expect(await sql('select name, executed_at::text from berth_migration order by 1')).toEqual(
    before,
  )
})

test('a failing migration leaves no trace of itself or of the migrations before it', async () => {
  const { url, sql } = await aDatabase()
  const before = await sql(ledger)
  const files = [
    ...migrationFiles(),
    { name: '9998-good', sql: 'create table later (id int)' },
    { name: '9999-bad', sql: 'create table later_still (id int); select nonsense' },
  ]
  await expect(runMigrations(url, files, { log })).rejects.toThrow(/9999-bad/)
  expect(await sql(ledger)).toEqual(before)
  expect(await sql(`select from pg_class where relname like 'later%'`)).toEqual([])
})

test('replicas that start together run a new migration once', async () => {
  const { url, sql } = await aDatabase()
  const files = [...migrationFiles(), { name: '9998-good', sql: 'create table later (id int)' }]
  await Promise.all([1, 2, 3].map(() => runMigrations(url, files, { log })))
  expect((await sql(ledger)).at(-1)).toEqual({ name: '9998-good' })
})

test('a migration that meets a used table waits without holding up its readers, and runs later', async () => {
  const { url, sql } = await aDatabase()
  const files = [
    ...migrationFiles(),
    { name: '9998-column', sql: 'alter table tenant add column later int' },
  ]
  const user = new pg.Client({ connectionString: url })
  await user.connect()
  await user.query('begin; lock table tenant in share mode')
  let pauses = 0
  const clock = {
    async sleep() {
      // The pause is the time in which other queries of the table run.
      await sql('select from tenant')
      pauses += 1
      await user.query('rollback')
    },
  }
  await runMigrations(url, files, { log, clock })
  await user.end()
  expect((await sql(ledger)).at(-1)).toEqual({ name: '9998-column' })
  expect(pauses).toBe(1)
})

describe('beside replicas of an older build', () => {
  const expansion = {
    name: '9998-expansion',
    sql: `-- works_from: ${migrationFiles().at(-1)?.name}\nalter table tenant add column later int`,
  }
  const contraction = { name: '9999-contraction', sql: 'alter table tenant drop column later' }
  const expanded = [...migrationFiles(), expansion]
  const contracted = [...expanded, contraction]

  test('a migration that suits them runs beside them, and they connect and start again', async () => {
    const { url } = await aDatabase()
    const older = openWorkerPool(sessionUrl(url), log)
    await older.query('select from tenant')
    await runMigrations(url, expanded, { log })
    await older.end()

    const again = openWorkerPool(sessionUrl(url), log)
    await again.query('select from tenant')
    await again.end()
    await expect(migrate(url, log)).resolves.toBeUndefined()
  })

  test('a migration that does not suit them waits until they are gone, and names them', async () => {
    const { url, sql } = await aDatabase()
    const older = openWorkerPool(sessionUrl(url), log)
    await older.query('select from tenant')
    const warnings: unknown[] = []
    let pauses = 0
    const clock = {
      async sleep() {
        pauses += 1
        expect((await sql(ledger)).at(-1)).toEqual({ name: migrationFiles().at(-1)?.name })
        if (pauses === 2) await older.end()
      },
    }
    const warned = { ...log, warn: (...line: unknown[]) => void warnings.push(line) }
    await runMigrations(url, contracted, { log: warned, clock })
    expect((await sql(ledger)).at(-1)).toEqual({ name: contraction.name })
    expect(warnings).toEqual([
      [
        'database.migration_waits',
        expect.objectContaining({
          reason: expect.stringContaining(`(up to ${migrationFiles().at(-1)?.name})`),
          remedy: expect.stringContaining('Stop these replicas'),
        }),
      ],
    ])
  })

  test('a replica that is too old can neither connect nor start after the migration', async () => {
    const { url } = await aDatabase()
    await runMigrations(url, contracted, { log })
    const older = openWorkerPool(sessionUrl(url), log)
    await expect(older.query('select from tenant')).rejects.toMatchObject({
      name: 'OutdatedBuildError',
    })
    await older.end()
    await expect(migrate(url, log)).rejects.toMatchObject({ madeBy: 'newer build' })
    const newer = openWorkerPool(nameSessions(url, contraction.name), log)
    await newer.query('select from tenant')
    await newer.end()
  })
})

test('migrating refuses the ledger of a pre-release build', async () => {
  const { url, sql } = await aDatabase()
  await sql('drop table berth_migration')
  await sql(
    'create table berth_migration (id serial primary key, name varchar(255), executed_at timestamptz default now())',
  )
  await sql(`insert into berth_migration (name) values ('m0001-foundation'), ('m0002-ssh-key')`)
  await expect(migrate(url, log)).rejects.toMatchObject({
    name: 'DatabaseVersionError',
    madeBy: 'pre-release build',
  })
  expect(await sql(ledger)).toEqual([{ name: 'm0001-foundation' }, { name: 'm0002-ssh-key' }])
})

test('migrating refuses the database of a newer build', async () => {
  const { url, sql } = await aDatabase()
  await sql(`insert into berth_migration (name, checksum) values ('9999-next', 'x')`)
  await expect(migrate(url, log)).rejects.toMatchObject({ madeBy: 'newer build' })
})

test('every constraint with an error message exists in the database', async () => {
  const found =
    await testDatabase.sql(`select conname as name from pg_constraint where contype in ('u', 'x')
    union select indexrelid::regclass::text from pg_index where indisunique`)
  const known = found.map(({ name }) => name)
  const declared = Object.keys(database.constraints)
  expect(declared).toContain('volume_name_key')
  expect(declared.filter((name) => !known.includes(name))).toEqual([])
})
