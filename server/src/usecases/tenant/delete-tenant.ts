import { notFound } from '../../engine/model/fault.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { mustAllow } from '../../domain/tenant/rules.ts'
import { type TenantView } from '../../domain/tenant/tenant.ts'
import { type VersionedRequest, mustBeVersion } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'
import { openOperation } from '../operation/open-operation.ts'

/**
 * Requests the deletion of a tenant and everything in it. A repeated request returns the open
 * operation.
 */
export async function deleteTenant(
  op: Op,
  request: VersionedRequest,
): Promise<{ tenant: TenantView; operation: OperationView }> {
  const row = await op.tenants.get(request.id)
  op.audit.setTarget('tenant', { id: row.id, name: row.slug, tenantId: row.id })
  mustBeVersion('tenant', row, request.ifVersion)
  const [running] = (await op.operations.unfinished('tenant', row.id)).filter(
    (operation) => operation.kind === 'delete_tenant',
  )
  if (!running && !row.deleteRequestedAt) mustAllow('delete', row)
  if (!running) op.tenants.requestDelete(row)
  const operation = running
    ? await op.reads.operations.find(running.id)
    : await openOperation(op, 'delete_tenant', {
        kind: 'tenant',
        id: row.id,
        name: row.slug,
        tenantId: row.id,
      })
  const tenant = await op.reads.tenants.find(row.id)
  if (!tenant || !operation) throw notFound('tenant', request.id)
  if (!running)
    op.changes.record('tenant', { id: tenant.id, version: tenant.version, tenantId: tenant.id })
  return { tenant, operation }
}
