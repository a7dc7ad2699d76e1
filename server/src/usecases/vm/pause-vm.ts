import { type Op } from '../../store/op.ts'
import { type VmAnswer, answerWith, ownVm } from './own-vm.ts'
import { presentRun } from './present-run.ts'

/** Asks a machine to stand still, with everything that it has in memory. */
export async function pauseVm(op: Op, asked: { id: string }): Promise<VmAnswer> {
  const { row, underWay } = await ownVm(op, asked.id, { action: 'pause', kind: 'pause_vm' })
  if (!underWay) op.vms.askRun(row, 'pause', { runUid: presentRun(row), forced: false })
  return answerWith(op, row, 'pause_vm')
}
