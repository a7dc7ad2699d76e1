import { Fault } from '../../engine/model/fault.ts'
import { requireNodePort } from '../../domain/vm-ssh/rules.ts'
import { type Op } from '../../store/op.ts'
import { type NamedVm } from '../vm/named-vm.ts'
import { type VmAnswer, respondWithOperation, lockVm } from '../vm/lock-vm.ts'
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
  const { row, mustBeChangeable } = await lockVm(op, request)
  mustBeChangeable()
  const { id, name, tenantId } = row
  const wantedNodePort = requireNodePort(nodePort)
  const nics = await op.reads.nics.desiredOf(id)
  if (!nics.some(({ kind }) => kind === 'pod')) throw new Fault('wrong_state', unreachable(name))
  await requestVmSsh(op, { id, tenantId }, { exposed: true, wantedNodePort })
  op.vms.touch(row)
  return respondWithOperation(op, row, 'expose_vm_ssh')
}

const unreachable = (name: string): Message => messageOf('ssh.no_pod_nic', { name })

/** Records the requested SSH access. It changes the VM's firewall, so both are enqueued. */
export async function requestVmSsh(
  op: Op,
  vm: OwnedVm,
  request: { exposed: boolean; wantedNodePort: number | null },
): Promise<void> {
  const firewallGeneration = await op.vmFirewalls.incrementGeneration(vm.id)
  await op.vmSsh.request(vm, { ...request, firewallGeneration })
  op.work.enqueue('vm_firewall', vm)
  op.work.enqueue('vm_ssh', vm)
}
