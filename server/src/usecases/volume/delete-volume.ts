import { Fault } from '../../engine/model/fault.ts'
import { type Op } from '../../store/op.ts'
import { endSchedulesOf } from '../snapshot-schedule/delete-snapshot-schedule.ts'
import {
  type VolumeAnswer,
  type VolumeRow,
  answerWith,
  mustAllowVolume,
  volumeToChange,
} from './own-volume.ts'
import { messageOf } from '../../engine/model/message.ts'

/**
 * Asks for the end of a volume and of everything on it; its snapshots stay, its schedules end, and
 * only while one is being taken this is refused. Asking again is answered with the operation that
 * is under way.
 */
export async function deleteVolume(op: Op, asked: { id: string }): Promise<VolumeAnswer> {
  const row = await volumeToChange(op, asked.id)
  if (!(await isLeftBehind(op, row))) mustAllowVolume('delete', row)
  if ((await op.volumeSnapshots.underWayOf(row.id)) > 0)
    throw new Fault('in_use', messageOf('volume.being_copied', { name: row.name }))
  if (!row.deleteRequestedAt) {
    op.volumes.requestDelete(row)
    await endSchedulesOf(op, row.id)
  }
  return answerWith(op, row, 'delete_volume')
}

/**
 * Its machine is gone, and only nobody has looked yet: whoever deletes both one after the other
 * need not wait.
 */
const isLeftBehind = async (op: Op, { vmId, heldBy }: VolumeRow): Promise<boolean> =>
  vmId === null && Boolean(heldBy) && (await op.reads.vms.find(heldBy ?? '')) === null
