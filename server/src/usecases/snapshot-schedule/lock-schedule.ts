import { type ScheduleAction, scheduleRefusal } from '../../domain/snapshot-schedule/refusals.ts'
import { type SnapshotScheduleView } from '../../domain/snapshot-schedule/snapshot-schedule.ts'
import { notFound } from '../../engine/model/fault.ts'
import { type VersionedRequest, mustBeVersion } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'
import { writtenRow } from '../written-row.ts'

export interface ScheduleAnswer {
  snapshotSchedule: SnapshotScheduleView
}

type Row = Awaited<ReturnType<Op['snapshotSchedules']['get']>>

/**
 * Returns the schedule, locked until the unit of work ends, and records it in the audit row.
 * Refuses an action that is not allowed.
 */
export async function lockSchedule(
  op: Op,
  { id, ifVersion }: VersionedRequest,
  action: ScheduleAction,
): Promise<{ row: Row; view: SnapshotScheduleView }> {
  const row = await op.snapshotSchedules.get(id)
  const { name, tenantId } = row
  op.audit.setTarget('snapshot_schedule', { id, name, tenantId })
  mustBeVersion('snapshot schedule', row, ifVersion)
  const view = await op.reads.snapshotSchedules.find(id)
  if (!view) throw notFound('snapshot schedule', id)
  const refusal = scheduleRefusal(action, view)
  if (refusal) throw refusal
  return { row, view }
}

/** Returns the schedule after the write, and adds it to the change log. */
export async function scheduleAfter(
  op: Op,
  before: Pick<Row, 'id' | 'version'>,
): Promise<SnapshotScheduleView> {
  const view = await writtenRow(op, { kind: 'snapshot_schedule', before }, (id) =>
    op.reads.snapshotSchedules.find(id),
  )
  op.audit.setTarget('snapshot_schedule', view)
  return view
}
