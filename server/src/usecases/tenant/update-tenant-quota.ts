import { notFound } from '../../engine/model/fault.ts'
import { type QuotaLimits, changedLimits } from '../../domain/tenant/quota.ts'
import { mustAllow } from '../../domain/tenant/rules.ts'
import { type TenantView } from '../../domain/tenant/tenant.ts'
import { mustBeVersion } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'

export interface TenantQuotaChange extends Partial<QuotaLimits> {
  id: string
  ifVersion?: number | null
}

/**
 * Changes the limits of a tenant. After the first change, the platform's defaults no longer apply
 * to it. Existing objects are kept.
 */
export async function updateTenantQuota(
  op: Op,
  request: TenantQuotaChange,
  defaults: QuotaLimits,
): Promise<{ tenant: TenantView }> {
  const row = await op.tenants.get(request.id)
  op.audit.setTarget('tenant', { id: row.id, name: row.slug, tenantId: row.id })
  mustBeVersion('tenant', row, request.ifVersion)
  mustAllow('update', row)
  await op.quotas.set(
    row.id,
    changedLimits((await op.quotas.limitsOf(row.id)) ?? defaults, request),
  )
  op.tenants.touch(row)
  await op.flush()
  const tenant = await op.reads.tenants.find(row.id)
  if (!tenant) throw notFound('tenant', request.id)
  // The ResourceQuota backstop in the cluster must grow before the tenant uses the new limits.
  op.work.enqueue('tenant', { id: tenant.id, tenantId: tenant.id })
  op.changes.record('tenant', { id: tenant.id, version: tenant.version, tenantId: tenant.id })
  return { tenant }
}
