import { type Op } from '../../store/op.ts'
import { type ScheduleAnswer, scheduleAfter, lockSchedule } from './lock-schedule.ts'

/** Pauses a schedule until it is resumed. A snapshot that is being taken is finished. */
export async function pauseSnapshotSchedule(
  op: Op,
  request: { id: string },
): Promise<ScheduleAnswer> {
  const { row } = await lockSchedule(op, request.id, 'pause')
  op.snapshotSchedules.pause(row)
  op.work.enqueue('snapshot_schedule', row)
  return { snapshotSchedule: await scheduleAfter(op, row) }
}

/** Resumes a schedule that was paused or stopped. Missed runs are not repeated. */
export async function resumeSnapshotSchedule(
  op: Op,
  request: { id: string },
): Promise<ScheduleAnswer> {
  const { row } = await lockSchedule(op, request.id, 'resume')
  op.snapshotSchedules.resume(row)
  op.work.enqueue('snapshot_schedule', row)
  return { snapshotSchedule: await scheduleAfter(op, row) }
}
