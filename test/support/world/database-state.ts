import { type TestDatabase } from '../postgres/database.ts'
import { waitFor } from '../wait-for.ts'

/**
 * Tables that change without a successful request: audit events of refusals, login counters, leases
 * and work of workers, and the capacity of nodes.
 */
const bookkeeping = ['audit_event', 'login_throttle', 'leadership', 'work', 'cluster_capacity']

async function tablesOf(database: TestDatabase): Promise<string[]> {
  const rows = await database.sql(
    `select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  return rows.map((row) => String(row.table_name))
}

/** Reads all rows of all tables by table, as text. */
export async function everyRow(database: TestDatabase): Promise<Map<string, string>> {
  const rows = await ofEachTable(
    await tablesOf(database),
    database,
    `coalesce(string_agg(t::text, E'\\n' order by t::text), '')`,
  )
  return new Map(rows.map(({ name, value }) => [String(name), String(value)]))
}

/**
 * Sums up the hashes of the rows, because a sum needs no order. A refused request may record that
 * its credential was used.
 */
const tableHash = `array[count(*), coalesce(sum(hashtextextended((to_jsonb(t) - 'last_used_at')::text, 0)), 0)]::text`

/** Hashes everything that a refused request must not change. */
export async function stateHash(database: TestDatabase): Promise<string> {
  const tables = (await tablesOf(database)).filter((name) => !bookkeeping.includes(name))
  return JSON.stringify(await ofEachTable(tables, database, tableHash))
}

/** Computes an aggregate over the rows `t` of each table. */
const ofEachTable = (
  tables: readonly string[],
  database: TestDatabase,
  aggregate: string,
): Promise<Record<string, unknown>[]> =>
  database.sql(
    tables
      .map((name) => `select '${name}' as name, ${aggregate} as value from ${name} t`)
      .join(' union all ')
      .concat(' order by 1'),
  )

const unfinished = `
  select 1 from operation where finished_at is null
  union all
  select 1 from work where poisoned_at is null and due_at < now() + interval '1 second'`

/** Returns the hash when no work is due and two consecutive reads are equal. */
export async function stateAtRest(database: TestDatabase): Promise<string> {
  let last = ''
  const rests = async (): Promise<boolean> => {
    const before = last
    last = (await database.sql(unfinished)).length === 0 ? await stateHash(database) : ''
    return last !== '' && last === before
  }
  await waitFor(rests, { timeoutMs: 10_000, everyMs: 150, what: 'everything to rest' })
  return last
}
