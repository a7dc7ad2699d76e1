import { type Op } from '../../store/op.ts'
import { deleteSchedulesOf } from '../snapshot-schedule/delete-snapshot-schedule.ts'
import { type VmChangeRequest } from './named-vm.ts'
import { type VmAnswer, respondWithOperation, lockVmForAction } from './lock-vm.ts'

/**
 * Requests the deletion of a VM and its root disk. Its volumes are detached and remain, and its
 * schedules end.
 */
export async function deleteVm(op: Op, request: VmChangeRequest): Promise<VmAnswer> {
  const { row, isOpenAlready } = await lockVmForAction(op, request, {
    action: 'delete',
    kind: 'delete_vm',
  })
  if (!isOpenAlready) {
    for (const volume of await op.volumes.detachAllFrom(row.id)) {
      op.changes.record('volume', volume)
      op.work.enqueue('volume', volume)
    }
    op.vms.requestDelete(row)
    await deleteSchedulesOf(op, row.id)
  }
  return respondWithOperation(op, row, 'delete_vm')
}
