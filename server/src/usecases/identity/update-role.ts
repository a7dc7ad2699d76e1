import { mustBeOfTenant, mustHoldAll, requirePermissions } from '../../domain/identity/grant.ts'
import { type RoleView } from '../../domain/identity/role.ts'
import { requireText } from '../../engine/model/name.ts'
import { mustBeVersion } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'
import { ownRole } from './own-role.ts'
import { roleAfter } from './role-after.ts'

export interface RoleChange {
  id: string
  description?: string | null
  permissions?: readonly string[] | null
  ifVersion?: number | null
}

const mostDescription = 500

/** Changes a role and with it, within seconds, what everybody who has it may do. */
export async function updateRole(op: Op, asked: RoleChange): Promise<{ role: RoleView }> {
  const role = await ownRole(op, asked.id)
  mustBeVersion('role', role, asked.ifVersion)
  if (asked.description)
    role.description = requireText(asked.description, 'description', mostDescription)
  if (asked.permissions) role.permissions = requireGrant(op, role.permissions, asked.permissions)
  return { role: await roleAfter(op, role.id) }
}

/** To leave in place what somebody stronger has granted is no grant; to add to it is one. */
function requireGrant(op: Op, present: readonly string[], asked: readonly string[]): string[] {
  const permissions = requirePermissions(asked, 'permissions')
  mustHoldAll(
    op.viewer.permissions,
    permissions.filter((permission) => !present.includes(permission)),
  )
  mustBeOfTenant(permissions, 'permissions')
  return permissions
}
