import { type Op } from '../../store/op.ts'
import { type VmAnswer, answerWith, ownVm } from './own-vm.ts'

/** Asks for a machine to run. The last wish counts: a stop that is under way is overtaken. */
export async function startVm(op: Op, asked: { id: string }): Promise<VmAnswer> {
  const row = await ownVm(op, asked.id, 'start')
  op.vms.askPower(row, 'on')
  return answerWith(op, row, 'start_vm')
}
