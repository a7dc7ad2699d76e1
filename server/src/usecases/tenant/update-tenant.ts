import { notFound } from '../../engine/model/fault.ts'
import { requireText } from '../../engine/model/name.ts'
import { mustAllow } from '../../domain/tenant/rules.ts'
import { type TenantView } from '../../domain/tenant/tenant.ts'
import { mustBeVersion } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'

export interface UpdateTenantRequest {
  id: string
  name?: string | null
  description?: string | null
  ifVersion?: number | null
}

/** Changes the name or the description of a tenant. Its slug and namespace do not change. */
export async function updateTenant(
  op: Op,
  request: UpdateTenantRequest,
): Promise<{ tenant: TenantView }> {
  const row = await op.tenants.get(request.id)
  mustBeVersion('tenant', row, request.ifVersion)
  mustAllow('update', row)
  if (request.name !== null && request.name !== undefined)
    row.name = requireText(request.name, 'name')
  row.description = request.description?.trim() ?? row.description
  await op.flush()
  const tenant = await op.reads.tenants.find(row.id)
  if (!tenant) throw notFound('tenant', request.id)
  op.changes.record('tenant', { id: tenant.id, version: tenant.version, tenantId: tenant.id })
  op.audit.setTarget('tenant', { id: tenant.id, name: tenant.slug, tenantId: tenant.id })
  return { tenant }
}
