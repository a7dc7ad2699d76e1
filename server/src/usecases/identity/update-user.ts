import { mustActInTenant } from '../../domain/identity/principal.ts'
import { mustNotBeRefused, userRefusal } from '../../domain/identity/rules.ts'
import { type UserState, type UserView } from '../../domain/identity/user.ts'
import { requireEmail } from '../../domain/identity/username.ts'
import { mustBeVersion } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'
import { assignedRole } from './assigned-role.ts'
import { userAfter } from './user-after.ts'

export interface UserChange {
  id: string
  email?: string | null
  roleId?: string | null
  state?: UserState | null
  ifVersion?: number | null
}

/** Changes a user; who is disabled or given another role must log in again. */
export async function updateUser(op: Op, asked: UserChange): Promise<{ user: UserView }> {
  const tenantId = mustActInTenant(op.viewer)
  const user = await op.users.get(asked.id)
  mustNotBeRefused(userRefusal('update', user, op.viewer))
  mustBeVersion('user', user, asked.ifVersion)
  const { roleId, state } = user
  if (asked.email) user.email = requireEmail(asked.email)
  if (asked.roleId && asked.roleId !== roleId)
    user.roleId = (await assignedRole(op, tenantId, { roleId: asked.roleId })).id
  if (asked.state) user.state = asked.state
  const mustLogInAgain = user.roleId !== roleId || (state === 'active' && user.state === 'disabled')
  if (mustLogInAgain) await op.sessions.revokeAll(user.id)
  return { user: await userAfter(op, user.id) }
}
