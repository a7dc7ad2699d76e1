import { type VersionedRequest } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'
import { type ScheduleAnswer, lockSchedule } from './lock-schedule.ts'

/** Deletes a schedule. Its snapshots remain. */
export async function deleteSnapshotSchedule(
  op: Op,
  request: VersionedRequest,
): Promise<ScheduleAnswer> {
  const { row, view } = await lockSchedule(op, request, 'delete')
  const { id, version, tenantId } = row
  op.snapshotSchedules.end(row)
  op.changes.record('snapshot_schedule', { id, version: version + 1, tenantId })
  return { snapshotSchedule: view }
}

/** Deletes all schedules of a volume or a VM that is being deleted. */
export async function deleteSchedulesOf(op: Op, targetId: string): Promise<void> {
  for (const ended of await op.snapshotSchedules.endAllOf(targetId))
    op.changes.record('snapshot_schedule', ended)
}
