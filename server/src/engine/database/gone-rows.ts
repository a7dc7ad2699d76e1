import { type SqlClient } from './sql/sql-client.ts'

/*
 * A deleted object stays in its table with the time of its deletion in `gone_at`, because other
 * rows may still refer to it. Retention deletes it when none does.
 */

interface Reference {
  /** The table of the referring rows. */
  from: string
  to: string
  /** The condition that a row `other` of `from` refers to the row `gone` of `to`. */
  condition: string
}

interface Retained {
  tables: readonly string[]
  references: readonly Reference[]
}

const keepingTables = `
select c.oid::regclass::text as name from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attname = 'gone_at' and not a.attisdropped
where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`

// A key with ON DELETE SET NULL does not hold the row that it names.
const keysBetween = `
select c.conrelid::regclass::text as "from", c.confrelid::regclass::text as "to",
  (select string_agg(format('other.%I = gone.%I', mine.attname, theirs.attname), ' and ')
   from unnest(c.conkey, c.confkey) as pair (mine, theirs)
   join pg_attribute mine on mine.attrelid = c.conrelid and mine.attnum = pair.mine
   join pg_attribute theirs on theirs.attrelid = c.confrelid and theirs.attnum = pair.theirs
  ) as condition
from pg_constraint c
where c.contype = 'f' and c.confdeltype <> 'n'
  and c.confrelid::regclass::text = any($1) and c.conrelid::regclass::text = any($2)`

/**
 * Reads from the catalogue of the database which tables keep deleted rows, and which foreign keys
 * hold such a row. `alsoRetained` are tables with a retention of their own.
 */
async function readRetained(client: SqlClient, alsoRetained: readonly string[]): Promise<Retained> {
  const { rows } = await client.query<{ name: string }>(keepingTables)
  const tables = rows.map(({ name }) => name)
  const references = await client.query<Reference>(keysBetween, [
    tables,
    [...tables, ...alsoRetained],
  ])
  return { tables, references: references.rows }
}

function deletionFrom(table: string, references: readonly Reference[]): string {
  const unheld = references
    .filter(({ to }) => to === table)
    .map(
      ({ from, condition }) => `and not exists (select from ${from} as other where ${condition})`,
    )
  return `
delete from ${table} where id in (
  select gone.id from ${table} as gone
  where gone.gone_at < clock_timestamp() - $1 * interval '1 ms' ${unheld.join(' ')}
  order by gone.gone_at limit $2)`
}

/**
 * Deletes rows of objects that were deleted longer ago than `olderThanMs` and to which no kept row
 * refers, at most `batch` of each table. Returns the largest number of one table.
 */
export async function sweepGoneRows(
  client: SqlClient,
  {
    olderThanMs,
    batch,
    alsoRetained,
  }: { olderThanMs: number; batch: number; alsoRetained: string[] },
): Promise<number> {
  const { tables, references } = await readRetained(client, alsoRetained)
  let most = 0
  // A row becomes free when the last row that refers to it is deleted, at worst one table a pass.
  for (let pass = 0; pass < tables.length; pass += 1) {
    let deleted = 0
    for (const table of tables) {
      const { rowCount } = await client.query(deletionFrom(table, references), [olderThanMs, batch])
      deleted += rowCount ?? 0
      most = Math.max(most, rowCount ?? 0)
    }
    if (deleted === 0) break
  }
  return most
}
