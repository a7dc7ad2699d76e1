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
 * Requests a node port that leads to SSH of a VM, which may be stopped. Every client that reaches a
 * node can use it.
 */
export async function exposeVmSsh(
  op: Op,
  { nodePort, ...request }: NamedVm & { nodePort?: number | null },
): Promise<VmAnswer> {
  const { row, mustAllow } = await vmToChange(op, request)
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

/** Records the requested SSH access. It changes the VM's firewall, so both are enqueued. */
export async function askVmSsh(
  op: Op,
  vm: OwnedVm,
  request: { exposed: boolean; wantedNodePort: number | null },
): Promise<void> {
  const firewallGeneration = await op.vmGuards.change(vm.id)
  await op.vmSsh.ask(vm, { ...request, guardGeneration: firewallGeneration })
  op.work.ring('vm_guard', vm)
  op.work.ring('vm_ssh', vm)
}
