import { type SqlClient } from './sql-client.ts'

// The horizon moves in the same statement as the deletion, so a resume can never see the one without the other:
// everything deleted stands at it or before it.
const sweep = `
with old as (
  select xid, id from change_log where at < clock_timestamp() - $1 * interval '1 ms' order by xid, id limit $2),
gone as (
  delete from change_log using old where change_log.id = old.id returning change_log.xid, change_log.id),
best as (
  select xid, id from (select xid, id from gone union all select xid, id from change_horizon) as place order by xid desc, id desc limit 1)
update change_horizon set xid = best.xid, id = best.id from best
returning (select count(*)::int from gone) as deleted`

/** Deletes one batch of changes older than the age and moves the horizon; answers how many went. */
export async function sweepChangeLog(client: SqlClient, { olderThanMs, batch }: { olderThanMs: number; batch: number }): Promise<number> {
  const { rows } = await client.query<{ deleted: number }>(sweep, [olderThanMs, batch])
  return rows[0]?.deleted ?? 0
}
