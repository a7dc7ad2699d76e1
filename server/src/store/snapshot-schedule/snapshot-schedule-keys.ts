import { type Kysely, sql } from 'kysely'
import { type KeyReads, keyNamed, createKeyReads } from '../../engine/database/sql/key-page.ts'
import { stateOfSchedule } from './snapshot-schedule-reads.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'

// A schedule enqueues its own next run. This condition finds those that missed it.
const isDue = sql<boolean>`gone_at is null and (is_running
  or (${stateOfSchedule} = 'active' and coalesce(next_due_at, '-infinity') <= now()))`

const keys = (db: Kysely<Tables>) =>
  db.selectFrom('snapshot_schedule').select(['id', 'tenant_id as tenantId'])

/**
 * Reads the work keys of all snapshot schedules that have something to do. The full pass of the
 * reconciler enqueues them.
 */
export const snapshotScheduleKeys: KeyReads<WorkKey> = createKeyReads('snapshot_schedule', {
  table: 'snapshot_schedule',
  rows: keys,
  keyOf: keyNamed('snapshot_schedule'),
  live: isDue,
})
