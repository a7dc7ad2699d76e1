import { Fault } from '../../engine/model/fault.ts'
import { type Op } from '../../store/op.ts'
import { type NamedVm } from '../vm/named-vm.ts'
import { type VmAnswer, answerWith, vmToChange } from '../vm/own-vm.ts'
import { askVmSsh } from './expose-vm-ssh.ts'
import { messageOf } from '../../engine/model/message.ts'

/**
 * Asks for the end of the port that leads to the SSH of a machine. Asking again is answered with
 * the operation that is under way.
 */
export async function unexposeVmSsh(op: Op, asked: NamedVm): Promise<VmAnswer> {
  const { row, mustAllow } = await vmToChange(op, asked)
  mustAllow('rename')
  const ssh = await op.reads.vmSsh.of(row.id)
  if (!ssh || (!ssh.exposed && ssh.appliedGeneration === ssh.generation))
    throw new Fault('wrong_state', messageOf('ssh.not_exposed', { name: row.name }))
  if (ssh.exposed) await askVmSsh(op, row, { exposed: false, wantedNodePort: null })
  op.vms.touch(row)
  return answerWith(op, row, 'unexpose_vm_ssh')
}
