import { Fault } from '../../engine/model/fault.ts'
import { type Op } from '../../store/op.ts'
import { messageOf } from '../../engine/model/message.ts'

/** Refuses a request unless the tenant is active: only then its namespace takes new objects. */
export async function mustHaveNamespace(op: Op, tenantId: string): Promise<void> {
  const tenant = await op.reads.tenants.find(tenantId)
  if (tenant?.state === 'active') return
  if (tenant?.state === 'deleting') throw closing(tenant.slug)
  throw new Fault('tenant_not_ready', messageOf('tenant.not_ready', { slug: tenant?.slug ?? '' }), {
    transient: tenant?.state === 'creating',
  })
}

/** Locks the tenant, so that its deletion does not overtake the request. Refuses a deleted one. */
export async function lockOpenTenant(op: Op, tenantId: string): Promise<void> {
  const { slug, deleteRequestedAt } = await op.tenants.get(tenantId)
  if (deleteRequestedAt) throw closing(slug)
}

const closing = (slug: string): Fault =>
  new Fault('tenant_deleting', messageOf('tenant.closing', { slug }))
