import { Fault } from '../../engine/model/fault.ts'
import { mustBeOfTenant, mustHoldAll, requirePermissions } from '../../domain/identity/grant.ts'
import { systemRoles } from '../../domain/identity/permission.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { type RoleView } from '../../domain/identity/role.ts'
import { requireText } from '../../engine/model/name.ts'
import { type Op } from '../../store/op.ts'
import { roleAfter } from './role-after.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface CreateRoleRequest {
  name: string
  description?: string | null
  permissions: readonly string[]
}

const maxNameLength = 63
const maxDescriptionLength = 500

/** Adds a role to the current tenant. It cannot have permissions that the viewer lacks. */
export async function createRole(op: Op, request: CreateRoleRequest): Promise<{ role: RoleView }> {
  const tenantId = mustActInTenant(op.viewer)
  const name = requireText(request.name, 'name', maxNameLength)
  const description = requireRoleDescription(request.description ?? '')
  const permissions = requirePermissions(request.permissions, 'permissions')
  mustHoldAll(op.viewer.permissions, permissions)
  mustBeOfTenant(permissions, 'permissions')
  if (Object.hasOwn(systemRoles, name.toLowerCase())) {
    throw new Fault('already_exists', messageOf('access.role_name_of_platform', { name }))
  }
  const role = op.roles.add({ tenantId, name, description, permissions })
  return { role: await roleAfter(op, role.id) }
}

/** Validates the description of a role, which may be empty. */
export const requireRoleDescription = (text: string): string =>
  text.trim() === '' ? '' : requireText(text, 'description', maxDescriptionLength)
