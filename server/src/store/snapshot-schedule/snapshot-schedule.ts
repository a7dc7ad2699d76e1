import { UnitStore } from '../../engine/database/unit-store.ts'
import { raw } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import {
  type ScheduleFailure,
  type SnapshotScheduleView,
} from '../../domain/snapshot-schedule/snapshot-schedule.ts'
import { newId } from '../../runtime/ids.ts'
import { SnapshotSchedule } from './snapshot-schedule-entity.ts'
import { idOfNamed } from '../../engine/database/sql/is-named.ts'
import { insertInto } from '../../engine/database/sql/insert-into.ts'
import { only } from '../../engine/database/sql/reader.ts'
import { countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'

type NewColumns =
  | 'tenantId'
  | 'name'
  | 'volumeId'
  | 'vmId'
  | 'cron'
  | 'timeZone'
  | 'keep'
  | 'acceptMissing'
  | 'ownerId'
  | 'ownerName'
export type NewSnapshotScheduleRow = Pick<SnapshotScheduleView, NewColumns>

/** Columns that only the reconciler writes. */
export interface ObservedScheduleState {
  countedUntil?: string
  nextDueAt?: string | null
  lastDueAt?: string
  lastRunAt?: string
  lastSnapshotId?: string
  isRunning?: boolean
  refusedSince?: string | null
  failuresInRow?: number
  lastFailure?: ScheduleFailure | null
  stoppedAt?: string
}

/** A snapshot that a schedule has created. */
interface MadeSnapshot {
  id: string
  isTaken: boolean
  hasFailed: boolean
  isLost: boolean
}

type Target = Pick<SnapshotScheduleView, 'vmId'>

/** Writes snapshot schedules in the transaction of a unit of work. */
export class SnapshotScheduleStore extends UnitStore {
  /** The database's clock. */
  get now(): string {
    return this.unit.now
  }

  async insert(values: NewSnapshotScheduleRow): Promise<string> {
    return (await insertSchedule(this.reader, { id: newId(), ...values })).id
  }

  /** Returns the tenant's schedule, locked until the unit ends. */
  get(id: string): Promise<SnapshotSchedule> {
    return this.lockById(SnapshotSchedule, { id, goneAt: null }, 'snapshot schedule')
  }

  /** Returns the row, locked, even when the schedule has ended; null when it never existed. */
  row(id: string): Promise<SnapshotSchedule | null> {
    return this.lockRow(SnapshotSchedule, { id })
  }

  async nameTaken(tenantId: string, name: string): Promise<boolean> {
    return (await idOfNamed(this.reader, 'snapshot_schedule', { tenantId, name })) !== null
  }

  /** Changes the times of all runs from now on. */
  retime(
    schedule: SnapshotSchedule,
    { cron, timeZone }: Pick<SnapshotScheduleView, 'cron' | 'timeZone'>,
  ): void {
    if (schedule.cron === cron && schedule.timeZone === timeZone) return
    Object.assign(schedule, { cron, timeZone })
    schedule.timedAt = raw('now()')
  }

  pause(schedule: SnapshotSchedule): void {
    schedule.pausedAt = raw('now()')
  }

  /** Resumes the schedule. Runs that came due during the pause are skipped. */
  resume(schedule: SnapshotSchedule): void {
    schedule.pausedAt = null
    schedule.resumedAt = raw('clock_timestamp()')
  }

  end(schedule: SnapshotSchedule): void {
    schedule.goneAt = raw('now()')
  }

  /** Ends all schedules of a volume or VM and returns them. */
  endAllOf(targetId: string): Promise<Pick<SnapshotScheduleView, 'id' | 'tenantId' | 'version'>[]> {
    const ending = statement('snapshotSchedule.endAllOf', (db) =>
      db
        .updateTable('snapshot_schedule')
        .set({ gone_at: sql`now()` })
        .where(sql<boolean>`${slot('targetId')}::uuid in (vm_id, volume_id) and gone_at is null`)
        .returning(['id', 'tenant_id as tenantId', 'version']),
    )
    return this.reader.all(ending, { targetId })
  }

  /** Only the reconciler calls this. */
  write(schedule: SnapshotSchedule, observed: ObservedScheduleState): void {
    Object.assign(schedule, observed)
  }

  /** Returns the snapshots that the schedule created and that are not deleted, oldest first. */
  madeBy(id: string, { vmId }: Target): Promise<MadeSnapshot[]> {
    const made = statement(`snapshotSchedule.madeBy ${tableOf(vmId)}`, (db) =>
      db
        .selectFrom(
          sql<MadeSnapshot>`(select id, taken_at is not null as "isTaken", failed_at is not null as "hasFailed",
          state = 'lost' as "isLost", due_at, schedule_id from ${sql.table(tableOf(vmId))} where gone_at is null and delete_requested_at is null)`.as(
            'made',
          ),
        )
        .select(['id', 'isTaken', 'hasFailed', 'isLost'])
        .where(sql<boolean>`schedule_id = ${slot('id')}`)
        .orderBy(sql`due_at`),
    )
    return this.reader.all(made, { id })
  }

  /** Counts the schedules of a volume or VM. */
  async countOf(targetId: string): Promise<number> {
    const counted = statement('snapshotSchedule.countOf', (db) =>
      db
        .selectFrom('snapshot_schedule')
        .select(countAll)
        .where(sql<boolean>`${slot('targetId')}::uuid in (vm_id, volume_id) and gone_at is null`),
    )
    return (await only(this.reader, counted, { targetId })).total
  }
}

const tableOf = (vmId: string | null | undefined): 'vm_snapshot' | 'volume_snapshot' =>
  vmId ? 'vm_snapshot' : 'volume_snapshot'

const insertSchedule = insertInto('snapshot_schedule', (row) => row.returning('id'))
