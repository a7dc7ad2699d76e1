import { mustActInTenant } from '../../domain/identity/principal.ts'
import { type UserState, type UserView } from '../../domain/identity/user.ts'
import { requireEmail } from '../../domain/identity/username.ts'
import { mustBeVersion } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'
import { assignedRole } from './assigned-role.ts'
import { lockUser, userAfter } from './lock-user.ts'

export interface UpdateUserRequest {
  id: string
  /** An empty text removes it. */
  email?: string | null
  roleId?: string | null
  roleName?: string | null
  state?: UserState | null
  ifVersion?: number | null
}

/** Changes a user. A user who is disabled or gets another role must log in again. */
export async function updateUser(op: Op, request: UpdateUserRequest): Promise<{ user: UserView }> {
  const tenantId = mustActInTenant(op.viewer)
  const { row: user, mustKeepAdministrator } = await lockUser(op, request.id, 'update')
  mustBeVersion('user', user, request.ifVersion)
  const { roleId, state } = user
  if (typeof request.email === 'string') user.email = requireEmail(request.email)
  if (isOtherRole(request, roleId)) user.roleId = (await assignedRole(op, tenantId, request)).id
  if (request.state) user.state = request.state
  const mustLogInAgain = user.roleId !== roleId || (state === 'active' && user.state === 'disabled')
  if (user.roleId !== roleId || user.state === 'disabled') mustKeepAdministrator()
  if (mustLogInAgain) await op.sessions.revokeAll(user.id)
  return { user: await userAfter(op, user.id) }
}

/** A role that the user has already needs no permission of the viewer. */
const isOtherRole = ({ roleId, roleName }: UpdateUserRequest, presentId: string): boolean =>
  roleId ? roleId !== presentId : Boolean(roleName)
