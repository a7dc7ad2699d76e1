import { rowChanges } from '../change/row-changes.ts'
import { SnapshotSchedule } from './snapshot-schedule-types.ts'

export const SnapshotScheduleChangesResolver = rowChanges({
  name: 'snapshotScheduleChanged',
  type: () => SnapshotSchedule,
  needs: ['vms:read', 'volumes:read'],
  kind: 'snapshot_schedule',
  noun: 'snapshot schedule',
  description:
    'The schedule as it is, and again each time that it has changed or run, until it is gone.',
  read: (reads, id) => reads.snapshotSchedules.find(id),
})
