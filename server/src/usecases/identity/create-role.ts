import { Fault } from '../../engine/model/fault.ts'
import { mustBeOfTenant, mustHoldAll, requirePermissions } from '../../domain/identity/grant.ts'
import { systemRoles } from '../../domain/identity/permission.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { type RoleView } from '../../domain/identity/role.ts'
import { requireText } from '../../engine/model/name.ts'
import { type Op } from '../../store/op.ts'
import { roleAfter } from './role-after.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface NewRole {
  name: string
  description?: string | null
  permissions: readonly string[]
}

const mostName = 63
const mostDescription = 500

/** Adds a role to the tenant acted in; it holds nothing that the viewer does not hold. */
export async function createRole(op: Op, asked: NewRole): Promise<{ role: RoleView }> {
  const tenantId = mustActInTenant(op.viewer)
  const name = requireText(asked.name, 'name', mostName)
  const description = asked.description?.trim()
    ? requireText(asked.description, 'description', mostDescription)
    : ''
  const permissions = requirePermissions(asked.permissions, 'permissions')
  mustHoldAll(op.viewer.permissions, permissions)
  mustBeOfTenant(permissions, 'permissions')
  if (Object.hasOwn(systemRoles, name.toLowerCase())) {
    throw new Fault('already_exists', messageOf('access.role_name_of_platform', { name }))
  }
  const role = op.roles.add({ tenantId, name, description, permissions })
  return { role: await roleAfter(op, role.id) }
}
