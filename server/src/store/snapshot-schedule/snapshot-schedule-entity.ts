import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { type ScheduleFailure } from '../../domain/snapshot-schedule/snapshot-schedule.ts'
import { bookkept, timestamp, messages } from '../../engine/database/sql/entity-columns.ts'

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
    /** Since when it is timed as it is. */
    timedAt: timestamp().defaultRaw('now()'),
    pausedAt: timestamp().nullable(),
    resumedAt: timestamp().defaultRaw('now()'),
    goneAt: timestamp().nullable(),
    /** What came due until then is settled. */
    countedUntil: timestamp().nullable(),
    nextDueAt: timestamp().nullable(),
    lastDueAt: timestamp().nullable(),
    lastRunAt: timestamp().nullable(),
    lastSnapshotId: p.uuid().nullable(),
    /** It waits for its last snapshot. */
    isRunning: p.boolean().default(false),
    /** Since when a run is refused that is still worth waiting for. */
    refusedSince: timestamp().nullable(),
    failuresInRow: p.integer().default(0),
    lastFailure: messages<ScheduleFailure>().nullable(),
    stoppedAt: timestamp().nullable(),
    ...bookkept,
  },
})

export class SnapshotSchedule extends SnapshotScheduleSchema.class {}
SnapshotScheduleSchema.setClass(SnapshotSchedule)

declare module '../../engine/model/registry.ts' {
  interface Tables {
    snapshot_schedule: InferKyselyTable<typeof SnapshotScheduleSchema>
  }
}
