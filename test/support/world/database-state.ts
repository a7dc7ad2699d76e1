import { createHash } from 'node:crypto'
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

/** Reads all rows of all tables by table, each row `t` as the text of an expression. */
export async function everyRow(
  database: TestDatabase,
  rowText = 't::text',
): Promise<Map<string, string>> {
  const tables = await tablesOf(database)
  const rows = await database.sql(
    tables
      .map(
        (name) =>
          `select '${name}' as name, coalesce(string_agg(${rowText}, E'\\n' order by ${rowText}), '') as text from ${name} t`,
      )
      .join(' union all '),
  )
  return new Map(rows.map(({ name, text }) => [String(name), String(text)]))
}

/** A refused request may record that its credential was used. */
const exceptLastUse = `(to_jsonb(t) - 'last_used_at')::text`

/** Hashes everything that a refused request must not change. */
export async function stateHash(database: TestDatabase): Promise<string> {
  const rows = await everyRow(database, exceptLastUse)
  const hash = createHash('sha256')
  for (const [name, text] of rows)
    if (!bookkeeping.includes(name)) hash.update(`${name}\n${text}\n`)
  return hash.digest('hex')
}

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
