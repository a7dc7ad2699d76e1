import { type Op } from '../../store/op.ts'
import { type VmAnswer, answerWith, ownVm } from './own-vm.ts'

/** Asks a machine to shut down; its disks stay. */
export async function stopVm(op: Op, asked: { id: string }): Promise<VmAnswer> {
  const row = await ownVm(op, asked.id, 'stop')
  op.vms.askPower(row, 'off')
  return answerWith(op, row, 'stop_vm')
}
