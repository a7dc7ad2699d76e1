import { type ChangeApplies } from '../../domain/vm/vm.ts'
import { type Op } from '../../store/op.ts'
import { type NamedVm } from './named-vm.ts'
import { type VmAnswer, answerWith, vmToChange } from './own-vm.ts'

export interface EjectedVmIso extends VmAnswer {
  applies: ChangeApplies
}

/**
 * Asks for a machine to come up without the ISO that it was installed from. A guest that runs keeps
 * it until its next start; then its copy of the ISO is removed, and the room that it took is free.
 * Asking again is answered with the operation that is under way.
 */
export async function ejectVmIso(op: Op, asked: NamedVm): Promise<EjectedVmIso> {
  const { row, mustAllow } = await vmToChange(op, asked)
  const open = await op.operations.unfinished('vm', row.id)
  const applies = row.state === 'Stopped' ? 'at_once' : 'next_start'
  if (!open.some(({ kind }) => kind === 'eject_vm_iso')) {
    mustAllow('ejectIso')
    op.vms.ejectIso(row)
  }
  return { ...(await answerWith(op, row, 'eject_vm_iso')), applies }
}
