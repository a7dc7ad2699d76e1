import { type Op } from '../../store/op.ts'
import { type ScheduleAnswer, scheduleToChange } from './own-schedule.ts'

/** Ends a schedule; the snapshots that it has made stay. */
export async function deleteSnapshotSchedule(
  op: Op,
  asked: { id: string },
): Promise<ScheduleAnswer> {
  const { row, view } = await scheduleToChange(op, asked.id, 'delete')
  const { id, version, tenantId } = row
  op.snapshotSchedules.end(row)
  op.changes.note('snapshot_schedule', { id, version: version + 1, tenantId })
  return { snapshotSchedule: view }
}

/** Ends all schedules of a volume or a machine that is to go. */
export async function endSchedulesOf(op: Op, targetId: string): Promise<void> {
  for (const ended of await op.snapshotSchedules.endAllOf(targetId))
    op.changes.note('snapshot_schedule', ended)
}
