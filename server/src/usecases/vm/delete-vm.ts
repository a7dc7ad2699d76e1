import { type Op } from '../../store/op.ts'
import { type VmAnswer, answerWith, ownVm } from './own-vm.ts'

/** Asks for the end of a machine and of the disk that it was made with. */
export async function deleteVm(op: Op, asked: { id: string }): Promise<VmAnswer> {
  const { row, underWay } = await ownVm(op, asked.id, { action: 'delete', kind: 'delete_vm' })
  if (!underWay) op.vms.requestDelete(row)
  return answerWith(op, row, 'delete_vm')
}
