import { rowChanges } from '../change/row-changes.ts'
import { SnapshotSchedule } from './snapshot-schedule-types.ts'

export const SnapshotScheduleChangesResolver = rowChanges({
  name: 'snapshotScheduleChanged',
  type: () => SnapshotSchedule,
  needs: ['vms:read', 'volumes:read'],
  kind: 'snapshot_schedule',
  noun: 'snapshot schedule',
  description: 'Sends the schedule now and after each change or run, until it is deleted.',
  read: (reads, id) => reads.snapshotSchedules.find(id),
})
