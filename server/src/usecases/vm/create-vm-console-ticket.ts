import { notFound } from '../../engine/model/fault.ts'
import { type ConsoleKind, consoleProtocol } from '../../domain/guest/console.ts'
import { mustHaveCredential } from '../../domain/identity/principal.ts'
import { mustAllow } from '../../domain/vm/lifecycle.ts'
import { type Op } from '../../store/op.ts'
import { type NamedVm, idOfVm } from './named-vm.ts'

export interface ConsoleTicket {
  ticket: string
  url: string
  expiresAt: string
  protocol: string
}

/** Creates a ticket for one console of a VM. This caller can use it once, within half a minute. */
export async function createVmConsoleTicket(
  op: Op,
  { kind, ...request }: NamedVm & { kind: ConsoleKind },
  publicUrl: string,
): Promise<ConsoleTicket> {
  const id = await idOfVm(op, request)
  const vm = await op.reads.vms.find(id)
  if (!vm) throw notFound('vm', id)
  op.audit.setTarget('vm', { id: vm.id, name: vm.name, tenantId: vm.tenantId })
  mustAllow('openConsole', {
    name: vm.name,
    state: vm.deleting ? 'Deleting' : vm.state,
    isProtected: vm.deleteProtection,
  })
  const { ticket, expiresAt } = await op.vmConsoles.issue({
    tenantId: vm.tenantId,
    vmId: vm.id,
    kind,
    ...mustHaveCredential(op.viewer),
  })
  const url = new URL('/ws/console', publicUrl.replace(/^http/, 'ws'))
  url.searchParams.set('ticket', ticket.reveal())
  return { ticket: ticket.reveal(), url: url.href, expiresAt, protocol: consoleProtocol }
}
