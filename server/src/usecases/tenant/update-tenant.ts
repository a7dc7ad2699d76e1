import { notFound } from '../../engine/model/fault.ts'
import { requireText } from '../../engine/model/name.ts'
import { mustAllow } from '../../domain/tenant/rules.ts'
import { type TenantView } from '../../domain/tenant/tenant.ts'
import { mustBeVersion } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'

export interface TenantChange {
  id: string
  name?: string | null
  description?: string | null
  ifVersion?: number | null
}

/** Renames or describes a tenant; its slug and namespace stay. */
export async function updateTenant(op: Op, asked: TenantChange): Promise<{ tenant: TenantView }> {
  const row = await op.tenants.get(asked.id)
  mustBeVersion('tenant', row, asked.ifVersion)
  mustAllow('update', row)
  if (asked.name !== null && asked.name !== undefined) row.name = requireText(asked.name, 'name')
  row.description = asked.description?.trim() ?? row.description
  await op.flush()
  const tenant = await op.reads.tenants.find(row.id)
  if (!tenant) throw notFound('tenant', asked.id)
  op.changes.note('tenant', { id: tenant.id, version: tenant.version, tenantId: tenant.id })
  op.audit.about('tenant', { id: tenant.id, name: tenant.slug, tenantId: tenant.id })
  return { tenant }
}
