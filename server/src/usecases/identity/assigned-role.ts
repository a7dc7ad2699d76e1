import { mustHoldAll } from '../../domain/identity/grant.ts'
import { assignmentRefusal, mustNotBeRefused } from '../../domain/identity/rules.ts'
import { type Op } from '../../store/op.ts'

export interface RoleChoice {
  roleId?: string | null
  roleName?: string | null
}

/** Returns the role to assign, if the viewer may assign it. */
export async function assignedRole(
  op: Op,
  tenantId: string,
  { roleId, roleName }: RoleChoice,
): Promise<{ id: string }> {
  const role = roleId
    ? await op.roles.get(roleId, tenantId)
    : await op.roles.getByName(roleName?.trim() || 'tenant.operator', tenantId)
  mustNotBeRefused(assignmentRefusal(role))
  mustHoldAll(op.viewer.permissions, role.permissions)
  return role
}
