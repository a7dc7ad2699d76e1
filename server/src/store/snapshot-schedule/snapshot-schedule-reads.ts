import { sql } from 'kysely'
import {
  type SnapshotScheduleState,
  type SnapshotScheduleView,
} from '../../domain/snapshot-schedule/snapshot-schedule.ts'
import {
  byCreation,
  byNameOrAge,
  type NamedQuery,
  listReads,
  byId,
  byStates,
  byText,
} from '../../engine/database/sql/list-reads.ts'
import { contains, countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'

export interface SnapshotScheduleQuery extends NamedQuery {
  states?: readonly SnapshotScheduleState[] | null
  target?: 'volume' | 'vm' | null
  volumeId?: string | null
  vmId?: string | null
}

/** A schedule that ends together with its volume or VM. */
export interface TargetSchedule {
  targetId: string
  name: string
}

export const stateOfSchedule = sql<SnapshotScheduleState>`(case when paused_at is not null then 'paused'
  when stopped_at > resumed_at then 'stopped' else 'active' end)`

const targetName = sql<string>`coalesce((select vm.name from vm where vm.id = snapshot_schedule.vm_id),
  (select volume.name from volume where volume.id = snapshot_schedule.volume_id))`

const shown = [
  ...([
    'id',
    'name',
    'cron',
    'keep',
    'version',
    'tenant_id as tenantId',
    'volume_id as volumeId',
    'vm_id as vmId',
  ] as const),
  targetName.as('targetName'),
  ...([
    'time_zone as timeZone',
    'accept_missing as acceptMissing',
    'owner_id as ownerId',
    'owner_name as ownerName',
  ] as const),
  stateOfSchedule.as('state'),
  sql<string>`greatest(timed_at, resumed_at, counted_until)`.as('timedFrom'),
  ...([
    'last_due_at as lastDueAt',
    'last_run_at as lastRunAt',
    'last_snapshot_id as lastSnapshotId',
  ] as const),
  ...(['failures_in_row as failuresInRow', 'last_failure as lastFailure'] as const),
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

export class SnapshotScheduleReads extends listReads<
  'snapshot_schedule',
  SnapshotScheduleView,
  SnapshotScheduleQuery
>({
  stem: 'snapshotSchedule',
  tenantColumn: 'tenant_id',
  rows: (db) => db.selectFrom('snapshot_schedule').select(shown),
  counted: (db) => db.selectFrom('snapshot_schedule').select(countAll),
  found: sql<boolean>`(${contains('name')} or ${targetName} ilike ${slot('search')})`,
  narrowedBy: {
    ...byCreation,
    states: byStates(stateOfSchedule),
    target: byText(sql`case when vm_id is null then 'volume' else 'vm' end`, 'target'),
    volumeId: byId('volume_id', 'volumeId'),
    vmId: byId('vm_id', 'vmId'),
  },
  keepsGone: true,
  sortedBy: byNameOrAge,
}) {
  /** Returns the schedules of these volumes and VMs. */
  of(targetIds: readonly string[]): Promise<TargetSchedule[]> {
    const found = statement('snapshotSchedule.of', (db) =>
      db
        .selectFrom('snapshot_schedule')
        .where('gone_at', 'is', null)
        .select(['name', sql<string>`coalesce(vm_id, volume_id)`.as('targetId')])
        .where(
          sql<boolean>`(vm_id = any(${slot('targetIds')}) or volume_id = any(${slot('targetIds')}))`,
        )
        .orderBy('name'),
    )
    return this.reader.all(found, { targetIds })
  }
}
