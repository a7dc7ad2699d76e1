import { type Op } from '../../store/op.ts'
import { type NamedVm } from './named-vm.ts'
import { type VmAnswer, answerWith, ownVm } from './own-vm.ts'
import { presentRun } from './present-run.ts'

/**
 * Asks for a machine to go down and come up again, once; forced, the guest is given no time to shut
 * down.
 */
export async function restartVm(
  op: Op,
  asked: NamedVm & { force?: boolean | null },
): Promise<VmAnswer> {
  const { row, underWay } = await ownVm(op, asked, { action: 'restart', kind: 'restart_vm' })
  if (!underWay)
    op.vms.askRun(row, 'restart', { runUid: presentRun(row), forced: asked.force ?? false })
  return answerWith(op, row, 'restart_vm')
}
