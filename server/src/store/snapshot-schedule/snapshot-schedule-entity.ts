import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { type ScheduleFailure } from '../../domain/snapshot-schedule/snapshot-schedule.ts'
import { versionColumns, timestamp, messages } from '../../engine/database/sql/entity-columns.ts'

export const SnapshotScheduleSchema = defineEntity({
  name: 'SnapshotSchedule',
  tableName: 'snapshot_schedule',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    name: p.text(),
    volumeId: p.uuid().nullable(),
    vmId: p.uuid().nullable(),
    cron: p.text(),
    timeZone: p.text(),
    keep: p.integer(),
    acceptMissing: p.boolean(),
    ownerId: p.uuid(),
    ownerName: p.text(),
    /** Time of the last change of its cron expression or time zone. */
    timedAt: timestamp().defaultRaw('now()'),
    pausedAt: timestamp().nullable(),
    resumedAt: timestamp().defaultRaw('now()'),
    goneAt: timestamp().nullable(),
    /** Due times up to this time are settled. */
    countedUntil: timestamp().nullable(),
    nextDueAt: timestamp().nullable(),
    lastDueAt: timestamp().nullable(),
    lastRunAt: timestamp().nullable(),
    lastSnapshotId: p.uuid().nullable(),
    /** True while it waits for its last snapshot. */
    isRunning: p.boolean().default(false),
    /** Time since which a run is refused but still retried. */
    refusedSince: timestamp().nullable(),
    failuresInRow: p.integer().default(0),
    lastFailure: messages<ScheduleFailure>().nullable(),
    stoppedAt: timestamp().nullable(),
    ...versionColumns,
  },
})

export class SnapshotSchedule extends SnapshotScheduleSchema.class {}
SnapshotScheduleSchema.setClass(SnapshotSchedule)

declare module '../../engine/model/registry.ts' {
  interface Tables {
    snapshot_schedule: InferKyselyTable<typeof SnapshotScheduleSchema>
  }
}
