import { Fault } from '../../engine/model/fault.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { invalid, requireName } from '../../engine/model/name.ts'
import { requireAll } from '../../engine/model/require-all.ts'
import { requireCron } from '../../domain/snapshot-schedule/cron.ts'
import { nextTime } from '../../domain/snapshot-schedule/next-time.ts'
import {
  type SnapshotScheduleView,
  maxSchedules,
  requireKeep,
} from '../../domain/snapshot-schedule/snapshot-schedule.ts'
import { requireRoomForTimestamp } from '../../domain/snapshot-schedule/snapshot-name.ts'
import { requireTimeZone } from '../../domain/snapshot-schedule/local-time.ts'
import { type Op } from '../../store/op.ts'
import { type VolumeBounds } from '../volume/create-volume.ts'
import { mustBeCoverable } from './must-be-coverable.ts'
import { type ScheduleAnswer, scheduleAfter } from './lock-schedule.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface CreateSnapshotScheduleRequest {
  name: string
  volumeId?: string | null
  vmId?: string | null
  cron: string
  timeZone?: string | null
  keep: number
  /** Take snapshots even when they cannot cover all disks of the VM. */
  acceptMissing?: boolean | null
}

/** Creates a schedule that takes snapshots of one volume or one VM and retains some of them. */
export async function createSnapshotSchedule(
  op: Op,
  request: CreateSnapshotScheduleRequest,
  bounds: VolumeBounds,
): Promise<ScheduleAnswer> {
  const tenantId = mustActInTenant(op.viewer)
  const { name, keep, times, target } = requireAll({
    name: () => requireRoomForTimestamp(requireName(request.name, 'name')),
    keep: () => requireKeep(request.keep),
    times: () => requireTimes(op, { cron: request.cron, timeZone: request.timeZone ?? 'UTC' }),
    target: () => requireTarget(request),
  })
  const { targetId, volumeId, vmId } = target
  const acceptMissing = request.acceptMissing ?? false
  await mustBeCoverable(op, { volumeId, vmId, acceptMissing }, bounds)
  if ((await op.snapshotSchedules.countOf(targetId)) >= maxSchedules)
    throw new Fault('quota_exceeded', messageOf('schedule.most', { most: maxSchedules }))
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
  op.work.enqueue('snapshot_schedule', { id, tenantId })
  return { snapshotSchedule: await scheduleAfter(op, { id, version: 0 }) }
}

function requireTarget({
  volumeId = null,
  vmId = null,
}: Pick<CreateSnapshotScheduleRequest, 'volumeId' | 'vmId'>) {
  const targetId = volumeId ?? vmId
  if (targetId === null || (volumeId !== null && vmId !== null))
    throw invalid('vmId', messageOf('field.id_or_volume'))
  return { targetId, volumeId, vmId }
}

/** Refuses times that never occur. */
export function requireTimes(
  op: Op,
  request: Pick<SnapshotScheduleView, 'cron' | 'timeZone'>,
): typeof request {
  const { text: cron, times } = requireCron(request.cron, 'cron')
  const timeZone = requireTimeZone(request.timeZone, 'timeZone')
  if (nextTime(times, timeZone, Date.parse(op.snapshotSchedules.now)) === null)
    throw invalid('cron', messageOf('schedule.never_due'))
  return { cron, timeZone }
}
