import { Fault } from '../../engine/model/fault.ts'
import { requireNodePort } from '../../domain/vm-ssh/rules.ts'
import { type Op } from '../../store/op.ts'
import { type NamedVm } from '../vm/named-vm.ts'
import { type VmAnswer, answerWith, vmToChange } from '../vm/own-vm.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

interface OwnedVm {
  id: string
  tenantId: string
}

/**
 * Asks for a port of the cluster that leads to the SSH of a machine, also while that does not run.
 * It is open to everybody who reaches the cluster.
 */
export async function exposeVmSsh(
  op: Op,
  { nodePort, ...asked }: NamedVm & { nodePort?: number | null },
): Promise<VmAnswer> {
  const { row, mustAllow } = await vmToChange(op, asked)
  mustAllow('rename')
  const { id, name, tenantId } = row
  const wantedNodePort = requireNodePort(nodePort)
  const nics = await op.reads.nics.wiringOf(id)
  if (!nics.some(({ kind }) => kind === 'pod')) throw new Fault('wrong_state', unreachable(name))
  await askVmSsh(op, { id, tenantId }, { exposed: true, wantedNodePort })
  op.vms.touch(row)
  return answerWith(op, row, 'expose_vm_ssh')
}

const unreachable = (name: string): Message => messageOf('ssh.no_pod_nic', { name })

/** What is asked of it changes what the machine's guard lets in. */
export async function askVmSsh(
  op: Op,
  vm: OwnedVm,
  asked: { exposed: boolean; wantedNodePort: number | null },
): Promise<void> {
  const guardGeneration = await op.vmGuards.change(vm.id)
  await op.vmSsh.ask(vm, { ...asked, guardGeneration })
  op.work.ring('vm_guard', vm)
  op.work.ring('vm_ssh', vm)
}
