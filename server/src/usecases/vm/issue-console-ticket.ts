import { mustActInTenant } from '../../domain/identity/principal.ts'
import { Fault } from '../../engine/model/fault.ts'
import { type Viewer, may } from '../../engine/model/viewer.ts'
import { messageOf } from '../../engine/model/message.ts'
import { type Berth, type Call } from '../berth.ts'
import { createVmConsoleTicket } from './create-vm-console-ticket.ts'

interface ConsoleTicketRequest {
  viewer: Viewer
  name: string | null
  requestId: string
  address: string
}

/** Issues a ticket for the screen of a VM to a viewer whom the socket itself has identified. */
export async function issueConsoleTicket(
  berth: Berth,
  { viewer, name, requestId, address }: ConsoleTicketRequest,
): Promise<string> {
  const scope = { tenantId: mustActInTenant(viewer) }
  const operation = 'createVmConsoleTicket'
  const call: Call = { viewer, scope, operation, requestId, address, idempotency: null }
  try {
    if (!may(viewer, 'vms:console')) {
      const sentence = messageOf('access.permission_missing', { permission: 'vms:console' })
      throw new Fault('forbidden', sentence)
    }
    const { ticket } = await berth.write(call, (op) =>
      createVmConsoleTicket(op, { name, kind: 'vnc' }, berth.publicUrl),
    )
    return ticket
  } catch (error) {
    if (error instanceof Fault) await berth.refused(call, error.code)
    throw error
  }
}
