import { type UserView } from '../../domain/identity/user.ts'
import { Fault } from '../../engine/model/fault.ts'
import { requireName, requireText } from '../../engine/model/name.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type NetworkSettings } from '../../domain/network/network-settings.ts'
import { namespaceFrom } from '../../domain/tenant/rules.ts'
import { type TenantView } from '../../domain/tenant/tenant.ts'
import { type Op } from '../../store/op.ts'
import { createTenantAdmin } from '../identity/create-tenant-admin.ts'
import { openOperation } from '../operation/open-operation.ts'
import { addDefaultVpc } from '../vpc/add-vpc.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface CreateTenantRequest {
  name: string
  slug: string
  description?: string | null
  adminPassword: string
}

/**
 * Creates a tenant with its first user and its first VPC. The returned operation creates its
 * namespace.
 */
export async function createTenant(
  op: Op,
  request: CreateTenantRequest,
  networking: NetworkSettings,
): Promise<{ tenant: TenantView; adminUser: UserView; operation: OperationView }> {
  const slug = requireName(request.slug, 'slug', 'name')
  const name = requireText(request.name || slug, 'name')
  const taken = await op.tenants.takenSlug(slug)
  if (taken) throw new Fault('already_exists', messageOf('tenant.slug_taken', { slug }), taken)
  const tenant = await op.tenants.insert({
    name,
    slug,
    namespace: namespaceFrom(slug),
    description: request.description?.trim() ?? '',
  })
  await op.securityGroups.insertDefault(tenant.id)
  const adminUser = await createTenantAdmin(op, tenant, request.adminPassword)
  await addDefaultVpc(op, tenant.id, networking)
  const operation = await openOperation(op, 'create_tenant', {
    kind: 'tenant',
    id: tenant.id,
    name: slug,
    tenantId: tenant.id,
  })
  op.changes.record('tenant', { id: tenant.id, version: tenant.version, tenantId: tenant.id })
  op.audit.setTarget('tenant', { id: tenant.id, name: slug, tenantId: tenant.id })
  return { tenant, adminUser, operation }
}
