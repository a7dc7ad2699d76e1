import { mustBeOfTenant, mustHoldAll, requirePermissions } from '../../domain/identity/grant.ts'
import { type RoleView } from '../../domain/identity/role.ts'
import { requireRoleDescription } from './create-role.ts'
import { mustBeVersion } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'
import { lockRole } from './lock-role.ts'
import { roleAfter } from './role-after.ts'

export interface UpdateRoleRequest {
  id: string
  /** An empty text removes it. */
  description?: string | null
  permissions?: readonly string[] | null
  ifVersion?: number | null
}

/** Changes a role. The permissions of its users follow within seconds. */
export async function updateRole(op: Op, request: UpdateRoleRequest): Promise<{ role: RoleView }> {
  const role = await lockRole(op, request.id)
  mustBeVersion('role', role, request.ifVersion)
  if (typeof request.description === 'string')
    role.description = requireRoleDescription(request.description)
  if (request.permissions)
    role.permissions = requireGrant(op, role.permissions, request.permissions)
  return { role: await roleAfter(op, role.id) }
}

/** Permissions that the role already has need no permission of the viewer; new ones do. */
function requireGrant(op: Op, present: readonly string[], request: readonly string[]): string[] {
  const permissions = requirePermissions(request, 'permissions')
  mustHoldAll(
    op.viewer.permissions,
    permissions.filter((permission) => !present.includes(permission)),
  )
  mustBeOfTenant(permissions, 'permissions')
  return permissions
}
