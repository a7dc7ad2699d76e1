import { afterAll, expect, test } from 'vitest'
import { createLog } from '../../../server/src/runtime/log.ts'
import { openDatabase } from '../../../server/src/store/database.ts'
import { aDatabase } from '../../support/postgres/database.ts'

const testDatabase = await aDatabase()
const database = await openDatabase({ url: testDatabase.url, log: createLog('silent') })
afterAll(() => database.close())

const columnsOf = (table: string) =>
  testDatabase.sql(`select column_name as name, is_nullable = 'YES' as nullable, udt_name as type
    from information_schema.columns where table_schema = 'public' and table_name = '${table}' order by 1`)

/** What the schema calls the types that the entities name. */
const types: Readonly<Record<string, string>> = {
  int: 'int4',
  bigint: 'int8',
  boolean: 'bool',
  'double precision': 'float8',
  'text[]': '_text',
}

const tables = [...database.orm.getMetadata().getAll().values()].filter((meta) => !meta.abstract)

test.each(tables.map((meta) => [meta.tableName, meta] as const))(
  'the entity of %s and its migrated table say the same',
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

test('every table with a tenant has forced row level security, and none is forgotten', async () => {
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

test('the application role owns nothing and cannot step around the walls', async () => {
  expect(
    await testDatabase.sql(
      `select rolbypassrls, rolsuper, rolcreaterole from pg_roles where rolname = 'berth_app'`,
    ),
  ).toEqual([{ rolbypassrls: false, rolsuper: false, rolcreaterole: false }])
  expect(
    await testDatabase.sql(`select relname from pg_class where relowner = 'berth_app'::regrole`),
  ).toEqual([])
})
