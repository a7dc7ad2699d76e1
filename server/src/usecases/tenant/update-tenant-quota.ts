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
 * Changes how much a tenant may have; from the first change on the platform's own limits no longer
 * count for it. What it has it keeps.
 */
export async function updateTenantQuota(
  op: Op,
  asked: TenantQuotaChange,
  defaults: QuotaLimits,
): Promise<{ tenant: TenantView }> {
  const row = await op.tenants.get(asked.id)
  op.audit.about('tenant', { id: row.id, name: row.slug, tenantId: row.id })
  mustBeVersion('tenant', row, asked.ifVersion)
  mustAllow('update', row)
  await op.quotas.set(row.id, changedLimits((await op.quotas.limitsOf(row.id)) ?? defaults, asked))
  op.tenants.touch(row)
  await op.flush()
  const tenant = await op.reads.tenants.find(row.id)
  if (!tenant) throw notFound('tenant', asked.id)
  // The platform's own net under the quota is to be as wide before anybody makes use of that.
  op.work.ring('tenant', { id: tenant.id, tenantId: tenant.id })
  op.changes.note('tenant', { id: tenant.id, version: tenant.version, tenantId: tenant.id })
  return { tenant }
}
