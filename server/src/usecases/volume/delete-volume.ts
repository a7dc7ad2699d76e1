import { Fault, transient } from '../../engine/model/fault.ts'
import { mustBeVersion } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'
import { deleteSchedulesOf } from '../snapshot-schedule/delete-snapshot-schedule.ts'
import {
  type VolumeAnswer,
  type VolumeRow,
  respondWithOperation,
  mustAllowVolume,
  lockVolume,
} from './lock-volume.ts'
import { messageOf } from '../../engine/model/message.ts'

interface DeleteVolumeRequest {
  id: string
  ifVersion?: number | null
}

/**
 * Requests the deletion of a volume and its data. Its snapshots remain, its schedules end, and the
 * request is refused while a snapshot is being taken. A repeated request returns the open
 * operation.
 */
export async function deleteVolume(op: Op, request: DeleteVolumeRequest): Promise<VolumeAnswer> {
  const row = await lockVolume(op, request.id)
  mustBeVersion('volume', row, request.ifVersion)
  if (!(await isLeftBehind(op, row))) await mustBeDeletable(op, row)
  if ((await op.volumeSnapshots.countPendingOf(row.id)) > 0)
    throw new Fault('in_use', messageOf('volume.being_copied', { name: row.name }), transient)
  if (!row.deleteRequestedAt) {
    op.volumes.requestDelete(row)
    await deleteSchedulesOf(op, row.id)
  }
  return respondWithOperation(op, row, 'delete_volume')
}

async function mustBeDeletable(op: Op, row: VolumeRow): Promise<void> {
  const vm = row.vmId ? await op.reads.vms.find(row.vmId) : null
  if (vm?.deleting && !row.deleteRequestedAt)
    throw new Fault('in_use', messageOf('volume.held_by_deleted_vm', { name: row.name }), transient)
  mustAllowVolume('delete', row)
}

/**
 * True when the VM of the volume is deleted but its release was not observed yet. A user who
 * deletes both need not wait.
 */
const isLeftBehind = async (op: Op, { vmId, heldBy }: VolumeRow): Promise<boolean> =>
  vmId === null && Boolean(heldBy) && (await op.reads.vms.find(heldBy ?? '')) === null
