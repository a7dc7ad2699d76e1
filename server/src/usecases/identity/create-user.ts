import { mustActInTenant } from '../../domain/identity/principal.ts'
import { type UserView } from '../../domain/identity/user.ts'
import { requireEmail, requireUsername } from '../../domain/identity/username.ts'
import { requireAll } from '../../engine/model/require-all.ts'
import { type Op } from '../../store/op.ts'
import { type RoleChoice, assignedRole } from './assigned-role.ts'
import { hashNewPassword } from './password-hash.ts'
import { userAfter } from './lock-user.ts'

export interface CreateUserRequest extends RoleChoice {
  username: string
  password: string
  email?: string | null
}

/** Adds a user to the current tenant. Its role cannot have permissions that the viewer lacks. */
export async function createUser(op: Op, request: CreateUserRequest): Promise<{ user: UserView }> {
  const tenantId = mustActInTenant(op.viewer)
  const { username, email } = requireAll({
    username: () => requireUsername(request.username),
    email: () => requireEmail(request.email ?? ''),
  })
  const passwordHash = await hashNewPassword({ username, password: request.password })
  const role = await assignedRole(op, tenantId, request)
  // The unique index refuses a name that the tenant has already.
  const user = op.users.add({ tenantId, username, email, roleId: role.id, passwordHash })
  return { user: await userAfter(op, user.id) }
}
