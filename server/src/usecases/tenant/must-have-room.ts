import { Fault } from '../../engine/model/fault.ts'
import { type Op } from '../../store/op.ts'

/** Refuses to begin what would find no namespace to put it in. */
export async function mustHaveRoom(op: Op, tenantId: string): Promise<void> {
  const tenant = await op.reads.tenants.find(tenantId)
  if (tenant?.state === 'active') return
  if (tenant?.state === 'deleting')
    throw new Fault(
      'tenant_deleting',
      `Tenant ${tenant.slug} is being deleted; nothing can be made in it.`,
    )
  throw new Fault(
    'tenant_not_ready',
    `Tenant ${tenant?.slug ?? ''} is not ready yet; wait until it is active.`,
  )
}
