import { Fault } from '../../engine/model/fault.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { type Op } from '../../store/op.ts'
import { messageOf } from '../../engine/model/message.ts'

/**
 * A role that the tenant may change, locked; the platform's roles are seen by all and changed by
 * none.
 */
export async function ownRole(op: Op, id: string) {
  const role = await op.roles.get(id, mustActInTenant(op.viewer))
  if (role.isSystem)
    throw new Fault('read_only', messageOf('access.role_of_platform', { name: role.name }))
  return role
}
