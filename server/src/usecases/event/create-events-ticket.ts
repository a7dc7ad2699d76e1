import { notFound } from '../../engine/model/fault.ts'
import { mustActInTenant, mustHaveCredential } from '../../domain/identity/principal.ts'
import { type Op } from '../../store/op.ts'

export interface EventsTicket {
  ticket: string
  expiresAt: string
}

/**
 * Creates a ticket for the events of the current tenant. This caller can use it once, within half a
 * minute.
 */
export async function createEventsTicket(op: Op): Promise<EventsTicket> {
  const tenantId = mustActInTenant(op.viewer)
  const tenant = await op.reads.tenants.find(tenantId)
  if (!tenant) throw notFound('tenant', tenantId)
  op.audit.setTarget('tenant', { id: tenantId, name: tenant.slug, tenantId })
  const { ticket, expiresAt } = await op.eventsTickets.issue({
    tenantId,
    ...mustHaveCredential(op.viewer),
  })
  return { ticket: ticket.reveal(), expiresAt }
}
