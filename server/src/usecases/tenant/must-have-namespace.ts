import { Fault } from '../../engine/model/fault.ts'
import { type Op } from '../../store/op.ts'
import { messageOf } from '../../engine/model/message.ts'

/** Refuses a request unless the tenant is active: only then its namespace takes new objects. */
export async function mustHaveNamespace(op: Op, tenantId: string): Promise<void> {
  const tenant = await op.reads.tenants.find(tenantId)
  if (tenant?.state === 'active') return
  if (tenant?.state === 'deleting')
    throw new Fault('tenant_deleting', messageOf('tenant.closing', { slug: tenant.slug }))
  throw new Fault('tenant_not_ready', messageOf('tenant.not_ready', { slug: tenant?.slug ?? '' }), {
    transient: tenant?.state === 'creating',
  })
}
