import { notFound } from '../../engine/model/fault.ts'
import { closingFault, creationRefusal } from '../../domain/tenant/rules.ts'
import { type Op } from '../../store/op.ts'

/** Refuses a request unless the tenant is active: only then its namespace takes new objects. */
export async function mustHaveNamespace(op: Op, tenantId: string): Promise<void> {
  const tenant = await op.reads.tenants.find(tenantId)
  if (!tenant) throw notFound('tenant', tenantId)
  const refusal = creationRefusal(tenant)
  if (refusal) throw refusal
}

/** Locks the tenant, so that its deletion does not overtake the request. Refuses a deleted one. */
export async function lockOpenTenant(op: Op, tenantId: string): Promise<void> {
  const { slug, deleteRequestedAt } = await op.tenants.get(tenantId)
  if (deleteRequestedAt) throw closingFault(slug)
}
