import { type Op } from '../../store/op.ts'
import { type NamedVm } from './named-vm.ts'
import { type VmAnswer, answerWith, ownVm } from './own-vm.ts'

/** Asks for a machine to run. */
export async function startVm(op: Op, asked: NamedVm): Promise<VmAnswer> {
  const { row, underWay } = await ownVm(op, asked, { action: 'start', kind: 'start_vm' })
  if (!underWay) op.vms.askPower(row, 'on')
  return answerWith(op, row, 'start_vm')
}
