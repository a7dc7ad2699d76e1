import { type Op } from '../../store/op.ts'
import { endSchedulesOf } from '../snapshot-schedule/delete-snapshot-schedule.ts'
import { type NamedVm } from './named-vm.ts'
import { type VmAnswer, answerWith, ownVm } from './own-vm.ts'

/**
 * Requests the deletion of a VM and its root disk. Its volumes are detached and remain, and its
 * schedules end.
 */
export async function deleteVm(op: Op, request: NamedVm): Promise<VmAnswer> {
  const { row, isOpenAlready } = await ownVm(op, request, { action: 'delete', kind: 'delete_vm' })
  if (!isOpenAlready) {
    for (const volume of await op.volumes.takeAllOutOf(row.id)) {
      op.changes.note('volume', volume)
      op.work.ring('volume', volume)
    }
    op.vms.requestDelete(row)
    await endSchedulesOf(op, row.id)
  }
  return answerWith(op, row, 'delete_vm')
}
