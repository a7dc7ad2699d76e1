import { Fault } from '../../engine/model/fault.ts'
import { type Op } from '../../store/op.ts'
import { type NamedVm } from '../vm/named-vm.ts'
import { type VmAnswer, respondWithOperation, lockVm } from '../vm/lock-vm.ts'
import { requestVmSsh } from './expose-vm-ssh.ts'
import { messageOf } from '../../engine/model/message.ts'

/**
 * Requests that the node port of a VM's SSH is released. A repeated request returns the operation
 * that still runs.
 */
export async function unexposeVmSsh(op: Op, request: NamedVm): Promise<VmAnswer> {
  const { row, mustBeChangeable } = await lockVm(op, request)
  mustBeChangeable()
  const ssh = await op.reads.vmSsh.of(row.id)
  if (!ssh || (!ssh.exposed && ssh.appliedGeneration === ssh.generation))
    throw new Fault('wrong_state', messageOf('ssh.not_exposed', { name: row.name }))
  if (ssh.exposed) await requestVmSsh(op, row, { exposed: false, wantedNodePort: null })
  op.vms.touch(row)
  return respondWithOperation(op, row, 'unexpose_vm_ssh')
}
