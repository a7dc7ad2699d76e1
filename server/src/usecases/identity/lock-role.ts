import { Fault } from '../../engine/model/fault.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { type Op } from '../../store/op.ts'
import { messageOf } from '../../engine/model/message.ts'

/**
 * Returns a role that the tenant may change, locked. Roles of the platform are visible to all
 * tenants and cannot be changed.
 */
export async function lockRole(op: Op, id: string) {
  const role = await op.roles.get(id, mustActInTenant(op.viewer))
  if (role.isSystem)
    throw new Fault('read_only', messageOf('access.role_of_platform', { name: role.name }))
  return role
}
