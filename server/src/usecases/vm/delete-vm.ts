import { type Op } from '../../store/op.ts'
import { endSchedulesOf } from '../snapshot-schedule/delete-snapshot-schedule.ts'
import { type NamedVm } from './named-vm.ts'
import { type VmAnswer, answerWith, ownVm } from './own-vm.ts'

/**
 * Asks for the end of a machine and of the disk that it was made with; its volumes are let go and
 * stay, and its schedules end.
 */
export async function deleteVm(op: Op, asked: NamedVm): Promise<VmAnswer> {
  const { row, underWay } = await ownVm(op, asked, { action: 'delete', kind: 'delete_vm' })
  if (!underWay) {
    for (const volume of await op.volumes.takeAllOutOf(row.id)) {
      op.changes.note('volume', volume)
      op.work.ring('volume', volume)
    }
    op.vms.requestDelete(row)
    await endSchedulesOf(op, row.id)
  }
  return answerWith(op, row, 'delete_vm')
}
