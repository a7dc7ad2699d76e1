import { type Op } from '../../store/op.ts'
import { type ScheduleAnswer, scheduleToChange } from './own-schedule.ts'

/** Deletes a schedule. Its snapshots remain. */
export async function deleteSnapshotSchedule(
  op: Op,
  request: { id: string },
): Promise<ScheduleAnswer> {
  const { row, view } = await scheduleToChange(op, request.id, 'delete')
  const { id, version, tenantId } = row
  op.snapshotSchedules.end(row)
  op.changes.note('snapshot_schedule', { id, version: version + 1, tenantId })
  return { snapshotSchedule: view }
}

/** Deletes all schedules of a volume or a VM that is being deleted. */
export async function endSchedulesOf(op: Op, targetId: string): Promise<void> {
  for (const ended of await op.snapshotSchedules.endAllOf(targetId))
    op.changes.note('snapshot_schedule', ended)
}
