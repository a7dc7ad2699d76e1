import { type SqlClient } from '../../engine/database/sql/sql-client.ts'

interface Batch {
  olderThanMs: number
  batch: number
}

const endedSessions = `
delete from session where id in (
  select id from session where expires_at < clock_timestamp() - $1 * interval '1 ms' order by expires_at limit $2)`

const oldAttempts = `
delete from login_throttle where key in (
  select key from login_throttle where last_at < clock_timestamp() - $1 * interval '1 ms' order by last_at limit $2)`

/**
 * Deletes one batch of sessions that expired longer ago than `olderThanMs`, and returns their
 * number.
 */
export async function sweepSessions(
  client: SqlClient,
  { olderThanMs, batch }: Batch,
): Promise<number> {
  return (await client.query(endedSessions, [olderThanMs, batch])).rowCount ?? 0
}

/**
 * Deletes one batch of login counters without an attempt for `olderThanMs`, and returns their
 * number.
 */
export async function sweepLoginAttempts(
  client: SqlClient,
  { olderThanMs, batch }: Batch,
): Promise<number> {
  return (await client.query(oldAttempts, [olderThanMs, batch])).rowCount ?? 0
}
