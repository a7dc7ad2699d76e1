import { type Op } from '../../store/op.ts'
import { type NamedVm } from './named-vm.ts'
import { type VmAnswer, answerWith, ownVm } from './own-vm.ts'
import { presentRun } from './present-run.ts'

/** Asks a machine to stand still, with everything that it has in memory. */
export async function pauseVm(op: Op, asked: NamedVm): Promise<VmAnswer> {
  const { row, underWay } = await ownVm(op, asked, { action: 'pause', kind: 'pause_vm' })
  if (!underWay) op.vms.askRun(row, 'pause', { runUid: presentRun(row), forced: false })
  return answerWith(op, row, 'pause_vm')
}
