import { messageOf } from '../../engine/model/message.ts'
import { type NounParts } from '../noun-parts.ts'
import { SnapshotSchedule } from './snapshot-schedule-entity.ts'
import { snapshotScheduleKeys } from './snapshot-schedule-keys.ts'
import { SnapshotScheduleReads } from './snapshot-schedule-reads.ts'
import { SnapshotScheduleStore } from './snapshot-schedule.ts'

/**
 * The part of the store for snapshot schedules: tables, queries and work keys for the reconciler.
 */
export const snapshotScheduleNoun = {
  entities: [SnapshotSchedule],
  reads: { snapshotSchedules: SnapshotScheduleReads },
  stores: { snapshotSchedules: SnapshotScheduleStore },
  workKeys: { snapshot_schedule: snapshotScheduleKeys },
  goneWithTenant: [SnapshotSchedule],
  constraints: {
    snapshot_schedule_name_key: messageOf('schedule.name_taken_meanwhile'),
  },
} satisfies NounParts
