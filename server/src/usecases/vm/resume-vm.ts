import { type Op } from '../../store/op.ts'
import { type NamedVm } from './named-vm.ts'
import { type VmAnswer, answerWith, ownVm } from './own-vm.ts'
import { presentRun } from './present-run.ts'

/** Asks a machine that stands still to go on where it was. */
export async function resumeVm(op: Op, asked: NamedVm): Promise<VmAnswer> {
  const { row, underWay } = await ownVm(op, asked, { action: 'resume', kind: 'resume_vm' })
  if (!underWay) op.vms.askRun(row, 'resume', { runUid: presentRun(row), forced: false })
  return answerWith(op, row, 'resume_vm')
}
