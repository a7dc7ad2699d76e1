import { type VersionedRequest } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'
import { type ScheduleAnswer, scheduleAfter, lockSchedule } from './lock-schedule.ts'

/** Pauses a schedule until it is resumed. A snapshot that is being taken is finished. */
export async function pauseSnapshotSchedule(
  op: Op,
  request: VersionedRequest,
): Promise<ScheduleAnswer> {
  const { row } = await lockSchedule(op, request, 'pause')
  op.snapshotSchedules.pause(row)
  op.work.enqueue('snapshot_schedule', row)
  return { snapshotSchedule: await scheduleAfter(op, row) }
}

/** Resumes a schedule that was paused or stopped. Missed runs are not repeated. */
export async function resumeSnapshotSchedule(
  op: Op,
  request: VersionedRequest,
): Promise<ScheduleAnswer> {
  const { row } = await lockSchedule(op, request, 'resume')
  op.snapshotSchedules.resume(row)
  op.work.enqueue('snapshot_schedule', row)
  return { snapshotSchedule: await scheduleAfter(op, row) }
}
