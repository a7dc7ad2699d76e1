import { type SqlClient } from '../../engine/database/sql/sql-client.ts'

const forgetting = `select forget_audit_events($1 * interval '1 ms', $2) as forgotten`

/** Deletes one batch of audit events older than `olderThanMs` and returns their number. */
export async function sweepAuditEvents(
  client: SqlClient,
  { olderThanMs, batch }: { olderThanMs: number; batch: number },
): Promise<number> {
  const { rows } = await client.query<{ forgotten: number }>(forgetting, [olderThanMs, batch])
  return rows[0]?.forgotten ?? 0
}
