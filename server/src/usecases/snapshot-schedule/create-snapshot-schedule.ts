import { Fault } from '../../engine/model/fault.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { invalid, requireSlug } from '../../engine/model/name.ts'
import { requireCron } from '../../domain/snapshot-schedule/cron.ts'
import { nextTime } from '../../domain/snapshot-schedule/next-time.ts'
import {
  type SnapshotScheduleView,
  mostSchedules,
  requireKeep,
} from '../../domain/snapshot-schedule/snapshot-schedule.ts'
import { requireRoomForStamp } from '../../domain/snapshot-schedule/snapshot-name.ts'
import { requireTimeZone } from '../../domain/snapshot-schedule/wall-clock.ts'
import { type Op } from '../../store/op.ts'
import { type VolumeBounds } from '../volume/create-volume.ts'
import { mustBeCoverable } from './must-be-coverable.ts'
import { type ScheduleAnswer, scheduleAfter } from './own-schedule.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface NewSnapshotSchedule {
  name: string
  volumeId?: string | null
  vmId?: string | null
  cron: string
  timeZone?: string | null
  keep: number
  /** Also where disks of the machine will be missing in its snapshots. */
  acceptMissing?: boolean | null
}

/**
 * Asks for snapshots of one volume or one machine to be taken again and again, of which so many
 * stay.
 */
export async function createSnapshotSchedule(
  op: Op,
  asked: NewSnapshotSchedule,
  bounds: VolumeBounds,
): Promise<ScheduleAnswer> {
  const tenantId = mustActInTenant(op.viewer)
  const name = requireRoomForStamp(requireSlug(asked.name, 'name'))
  const keep = requireKeep(asked.keep)
  const times = requireTimes(op, { cron: asked.cron, timeZone: asked.timeZone ?? 'UTC' })
  const { targetId, volumeId, vmId } = requireTarget(asked)
  const acceptMissing = asked.acceptMissing ?? false
  await mustBeCoverable(op, { volumeId, vmId, acceptMissing }, bounds)
  if ((await op.snapshotSchedules.countOf(targetId)) >= mostSchedules)
    throw new Fault('in_use', messageOf('schedule.most', { most: mostSchedules }))
  if (await op.snapshotSchedules.nameTaken(tenantId, name))
    throw new Fault('already_exists', messageOf('schedule.name_taken', { name }))
  const owner = { ownerId: op.viewer.userId, ownerName: op.viewer.username }
  const id = await op.snapshotSchedules.insert({
    tenantId,
    name,
    volumeId,
    vmId,
    ...times,
    keep,
    acceptMissing,
    ...owner,
  })
  op.work.ring('snapshot_schedule', { id, tenantId })
  return { snapshotSchedule: await scheduleAfter(op, { id, version: 0 }) }
}

function requireTarget({
  volumeId = null,
  vmId = null,
}: Pick<NewSnapshotSchedule, 'volumeId' | 'vmId'>) {
  const targetId = volumeId ?? vmId
  if (targetId === null || (volumeId !== null && vmId !== null))
    throw invalid('vmId', messageOf('field.id_or_volume'))
  return { targetId, volumeId, vmId }
}

/** Times that come at least once. */
export function requireTimes(
  op: Op,
  asked: Pick<SnapshotScheduleView, 'cron' | 'timeZone'>,
): typeof asked {
  const { text: cron, times } = requireCron(asked.cron, 'cron')
  const timeZone = requireTimeZone(asked.timeZone, 'timeZone')
  if (nextTime(times, timeZone, Date.parse(op.snapshotSchedules.now)) === null)
    throw invalid('cron', messageOf('schedule.never_due'))
  return { cron, timeZone }
}
