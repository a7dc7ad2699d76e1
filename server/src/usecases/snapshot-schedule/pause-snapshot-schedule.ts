import { type Op } from '../../store/op.ts'
import { type ScheduleAnswer, scheduleAfter, scheduleToChange } from './own-schedule.ts'

/** Lets a schedule take nothing until it is resumed; a snapshot that is being taken is finished. */
export async function pauseSnapshotSchedule(
  op: Op,
  asked: { id: string },
): Promise<ScheduleAnswer> {
  const { row } = await scheduleToChange(op, asked.id, 'pause')
  op.snapshotSchedules.pause(row)
  op.work.ring('snapshot_schedule', row)
  return { snapshotSchedule: await scheduleAfter(op, row) }
}

/**
 * Lets a schedule that was paused, or that has stopped, run again from now on; what came due
 * meanwhile is not made up for.
 */
export async function resumeSnapshotSchedule(
  op: Op,
  asked: { id: string },
): Promise<ScheduleAnswer> {
  const { row } = await scheduleToChange(op, asked.id, 'resume')
  op.snapshotSchedules.resume(row)
  op.work.ring('snapshot_schedule', row)
  return { snapshotSchedule: await scheduleAfter(op, row) }
}
