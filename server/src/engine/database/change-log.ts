import { type SqlClient } from './sql/sql-client.ts'

// The horizon moves in the same statement as the deletion, so a resume never sees one without the
// other. Every deleted row is at the horizon or before it. Nothing is written when no row is old.
const sweep = `
with old as (
  select xid, id from change_log where at < clock_timestamp() - $1 * interval '1 ms' order by xid, id limit $2),
gone as (
  delete from change_log using old where change_log.id = old.id returning change_log.xid, change_log.id),
best as (
  select xid, id from gone order by xid desc, id desc limit 1),
moved as (
  update change_horizon as horizon set xid = best.xid, id = best.id from best where (best.xid, best.id) > (horizon.xid, horizon.id))
select count(*)::int as deleted from gone`

/**
 * Deletes one batch of changes older than the age, and returns their number. The horizon moves to
 * the last deleted change: a subscriber that resumes before it must read everything again.
 */
export async function sweepChangeLog(
  client: SqlClient,
  { olderThanMs, batch }: { olderThanMs: number; batch: number },
): Promise<number> {
  const { rows } = await client.query<{ deleted: number }>(sweep, [olderThanMs, batch])
  return rows[0]?.deleted ?? 0
}
