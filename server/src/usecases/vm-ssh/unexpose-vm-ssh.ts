import { Fault } from '../../engine/model/fault.ts'
import { type Op } from '../../store/op.ts'
import { type NamedVm } from '../vm/named-vm.ts'
import { type VmAnswer, respondWithOperation, lockVm } from '../vm/lock-vm.ts'
import { requestVmSsh } from './expose-vm-ssh.ts'
import { messageOf } from '../../engine/model/message.ts'

/**
 * Requests the release of the node port for SSH of a VM. A repeated request returns the open
 * operation.
 */
export async function unexposeVmSsh(op: Op, request: NamedVm): Promise<VmAnswer> {
  const { row, mustAllow } = await lockVm(op, request)
  mustAllow('rename')
  const ssh = await op.reads.vmSsh.of(row.id)
  if (!ssh || (!ssh.exposed && ssh.appliedGeneration === ssh.generation))
    throw new Fault('wrong_state', messageOf('ssh.not_exposed', { name: row.name }))
  if (ssh.exposed) await requestVmSsh(op, row, { exposed: false, wantedNodePort: null })
  op.vms.touch(row)
  return respondWithOperation(op, row, 'unexpose_vm_ssh')
}
