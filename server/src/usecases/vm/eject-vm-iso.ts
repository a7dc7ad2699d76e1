import { type ChangeApplies } from '../../domain/vm/vm.ts'
import { type Op } from '../../store/op.ts'
import { type VmChangeRequest } from './named-vm.ts'
import { type VmAnswer, respondWithOperation, lockVm } from './lock-vm.ts'

export interface EjectedVmIso extends VmAnswer {
  applies: ChangeApplies
}

/**
 * Requests that a VM starts without the ISO of its installation. A running guest keeps the ISO
 * until its next start. The VM's copy of the ISO is deleted when the guest no longer has it. A
 * repeated request returns the open operation.
 */
export async function ejectVmIso(op: Op, request: VmChangeRequest): Promise<EjectedVmIso> {
  const { row, mustAllow } = await lockVm(op, request)
  const open = await op.operations.unfinished('vm', row.id)
  const applies = row.state === 'Stopped' ? 'at_once' : 'next_start'
  if (!open.some(({ kind }) => kind === 'eject_vm_iso')) {
    mustAllow('ejectIso')
    op.vms.ejectIso(row)
  }
  return { ...(await respondWithOperation(op, row, 'eject_vm_iso')), applies }
}
