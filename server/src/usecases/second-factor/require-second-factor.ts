import { notFound } from '../../engine/model/fault.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { mustAllow } from '../../domain/tenant/rules.ts'
import { type TenantView } from '../../domain/tenant/tenant.ts'
import { type Op } from '../../store/op.ts'

export interface RequireSecondFactorRequest {
  required: boolean
}

/**
 * Requires a second factor of the users of the current tenant, or no longer. A user without one can
 * then only set it up.
 */
export async function requireSecondFactor(
  op: Op,
  { required }: RequireSecondFactorRequest,
): Promise<{ tenant: TenantView }> {
  const id = mustActInTenant(op.viewer)
  const row = await op.tenants.get(id)
  mustAllow('update', row)
  row.requiresSecondFactor = required
  await op.flush()
  const tenant = await op.reads.tenants.find(id)
  if (!tenant) throw notFound('tenant', id)
  op.changes.record('tenant', { id, version: tenant.version, tenantId: id })
  op.audit.setTarget('tenant', { id, name: tenant.slug, tenantId: id })
  return { tenant }
}
