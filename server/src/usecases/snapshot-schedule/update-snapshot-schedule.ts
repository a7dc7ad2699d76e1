import { requireKeep } from '../../domain/snapshot-schedule/snapshot-schedule.ts'
import { type VersionedRequest } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'
import { type VolumeBounds } from '../volume/create-volume.ts'
import { requireTimes } from './create-snapshot-schedule.ts'
import { mustBeCoverable } from './must-be-coverable.ts'
import { type ScheduleAnswer, scheduleAfter, lockSchedule } from './lock-schedule.ts'

export interface UpdateSnapshotScheduleRequest extends VersionedRequest {
  cron?: string | null
  timeZone?: string | null
  keep?: number | null
  acceptMissing?: boolean | null
}

/**
 * Changes the times of a schedule or how many snapshots it retains. Surplus snapshots are deleted
 * when the next one is ready.
 */
export async function updateSnapshotSchedule(
  op: Op,
  request: UpdateSnapshotScheduleRequest,
  bounds: VolumeBounds,
): Promise<ScheduleAnswer> {
  const { row } = await lockSchedule(op, request, 'update')
  const { volumeId = null, vmId = null } = row
  if (request.acceptMissing === false && row.acceptMissing)
    await mustBeCoverable(op, { volumeId, vmId, acceptMissing: false }, bounds)
  op.snapshotSchedules.retime(
    row,
    requireTimes(op, {
      cron: request.cron ?? row.cron,
      timeZone: request.timeZone ?? row.timeZone,
    }),
  )
  row.keep = requireKeep(request.keep ?? row.keep)
  row.acceptMissing = request.acceptMissing ?? row.acceptMissing
  op.work.enqueue('snapshot_schedule', row)
  return { snapshotSchedule: await scheduleAfter(op, row) }
}
