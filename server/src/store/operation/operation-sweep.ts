import { type SqlClient } from '../../engine/database/sql/sql-client.ts'

const finished = `
delete from operation where id in (
  select id from operation where finished_at < clock_timestamp() - $1 * interval '1 ms'
  order by finished_at limit $2)`

/** Deletes one batch of operations that ended long ago and returns their number. */
export async function sweepOperations(
  client: SqlClient,
  { olderThanMs, batch }: { olderThanMs: number; batch: number },
): Promise<number> {
  return (await client.query(finished, [olderThanMs, batch])).rowCount ?? 0
}
