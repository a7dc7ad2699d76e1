import { type Op } from '../../store/op.ts'
import { type ImportRules } from '../../domain/vm-template/image.ts'
import { mustUseAllowedRegistry } from '../../domain/vm-template/refusals.ts'
import { type VmChangeRequest } from './named-vm.ts'
import { type VmAnswer, lockVm, respondWithOperation } from './lock-vm.ts'

/**
 * Repeats a failed deploy with what exists of the VM. The open operation is the request: its
 * reconciler then forgets the failure. A repeated request returns that operation.
 */
export async function retryVm(
  op: Op,
  request: VmChangeRequest,
  { importRules }: { importRules: ImportRules },
): Promise<VmAnswer> {
  const { row, mustAllow } = await lockVm(op, request)
  const open = await op.operations.unfinished('vm', row.id)
  if (!open.some(({ kind }) => kind === 'deploy_vm')) {
    mustAllow('retry')
    mustUseAllowedRegistry(row, importRules)
    op.vms.touch(row)
  }
  return respondWithOperation(op, row, 'deploy_vm')
}
