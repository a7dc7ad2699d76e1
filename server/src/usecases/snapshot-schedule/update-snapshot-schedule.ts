import { requireKeep } from '../../domain/snapshot-schedule/snapshot-schedule.ts'
import { type Op } from '../../store/op.ts'
import { type VolumeBounds } from '../volume/create-volume.ts'
import { requireTimes } from './create-snapshot-schedule.ts'
import { mustBeCoverable } from './must-be-coverable.ts'
import { type ScheduleAnswer, scheduleAfter, scheduleToChange } from './own-schedule.ts'

export interface ScheduleChanges {
  id: string
  cron?: string | null
  timeZone?: string | null
  keep?: number | null
  acceptMissing?: boolean | null
}

/**
 * Times a schedule otherwise, or lets it keep more or fewer; fewer are removed when the next one is
 * there.
 */
export async function updateSnapshotSchedule(
  op: Op,
  asked: ScheduleChanges,
  bounds: VolumeBounds,
): Promise<ScheduleAnswer> {
  const { row } = await scheduleToChange(op, asked.id, 'update')
  const { volumeId = null, vmId = null } = row
  if (asked.acceptMissing === false && row.acceptMissing)
    await mustBeCoverable(op, { volumeId, vmId, acceptMissing: false }, bounds)
  op.snapshotSchedules.retime(
    row,
    requireTimes(op, { cron: asked.cron ?? row.cron, timeZone: asked.timeZone ?? row.timeZone }),
  )
  row.keep = requireKeep(asked.keep ?? row.keep)
  row.acceptMissing = asked.acceptMissing ?? row.acceptMissing
  op.work.ring('snapshot_schedule', row)
  return { snapshotSchedule: await scheduleAfter(op, row) }
}
