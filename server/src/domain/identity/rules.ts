import { Fault } from '../../engine/model/fault.ts'
import { missingPermissions } from './missing-permissions.ts'
import { systemRoles } from './permission.ts'
import { type UserState } from './user.ts'
import { type Viewer } from '../../engine/model/viewer.ts'
import { messageOf } from '../../engine/model/message.ts'

export type UserAction = 'update' | 'delete' | 'resetSecondFactor'

interface RuledUser {
  id: string
  username: string
  roleId: string
}

/** Returns why the viewer cannot change the user, or null. */
export function userRefusal(action: UserAction, user: RuledUser, viewer: Viewer): Fault | null {
  if (user.roleId === systemRoles['platform.root'].id) return rootRefusal(action, user)
  if (action === 'delete' && user.id === viewer.userId)
    return new Fault('forbidden', messageOf('access.not_yourself'))
  if (action === 'resetSecondFactor' && user.id === viewer.userId)
    return new Fault('forbidden', messageOf('access.own_second_factor'))
  return null
}

function rootRefusal(action: UserAction, { username: name }: RuledUser): Fault {
  const sentence =
    action === 'resetSecondFactor'
      ? messageOf('access.root_second_factor', { name })
      : messageOf('access.root_fixed', { name })
  return new Fault('forbidden', sentence)
}

interface Holder {
  noun: 'user' | 'API key'
  name: string
  permissions: readonly string[]
}

/** Refuses to change a user or key with permissions that the viewer does not have. */
export function mustHoldAsMuchAs(
  { permissions }: Viewer,
  { noun, name, permissions: theirs }: Holder,
): void {
  if (missingPermissions(permissions, theirs).length === 0) return
  const sentence =
    noun === 'user'
      ? messageOf('access.holds_more', { name })
      : messageOf('access.key_holds_more', { name })
  throw new Fault('forbidden', sentence)
}

interface Administered {
  username: string
  roleId: string
  state: UserState
}

/** The roles whose users can appoint an administrator of their tenant. */
export const administratorRoles: readonly string[] = [
  systemRoles['tenant.admin'].id,
  systemRoles['platform.root'].id,
]

/** Refuses to leave a tenant without an active administrator, who alone can appoint another. */
export function mustKeepAdministrator(
  { username: name, roleId, state }: Administered,
  otherAdministrators: number,
): void {
  const isAdministrator = state === 'active' && administratorRoles.includes(roleId)
  if (isAdministrator && otherAdministrators === 0)
    throw new Fault('wrong_state', messageOf('access.last_administrator', { name }))
}

/** Returns why the role cannot be assigned to a user, or null. */
export function assignmentRefusal(role: { id: string; name: string }): Fault | null {
  if (role.id !== systemRoles['platform.root'].id) return null
  return new Fault('forbidden', messageOf('access.role_of_root', { name: role.name }))
}

export function mustNotBeRefused(refusal: Fault | null): void {
  if (refusal) throw refusal
}
