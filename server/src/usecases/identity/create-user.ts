import { mustActInTenant } from '../../domain/identity/principal.ts'
import { type UserView } from '../../domain/identity/user.ts'
import { requireEmail, requireUsername } from '../../domain/identity/username.ts'
import { type Op } from '../../store/op.ts'
import { type RoleChoice, assignedRole } from './assigned-role.ts'
import { hashNewPassword } from './password-hash.ts'
import { userAfter } from './user-after.ts'

export interface NewUser extends RoleChoice {
  username: string
  password: string
  email?: string | null
}

/**
 * Adds a user to the tenant acted in, with a role that holds nothing that the viewer does not hold.
 */
export async function createUser(op: Op, asked: NewUser): Promise<{ user: UserView }> {
  const tenantId = mustActInTenant(op.viewer)
  const username = requireUsername(asked.username)
  const email = requireEmail(asked.email ?? '')
  const passwordHash = await hashNewPassword({ username, password: asked.password })
  const role = await assignedRole(op, tenantId, asked)
  // Names are unique over all tenants, most of which this unit cannot see: the index is what
  // refuses a second one.
  const user = op.users.add({ tenantId, username, email, roleId: role.id, passwordHash })
  return { user: await userAfter(op, user.id) }
}
