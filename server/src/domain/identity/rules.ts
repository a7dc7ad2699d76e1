import { Fault } from '../../engine/model/fault.ts'
import { systemRoles } from './permission.ts'
import { type Viewer } from '../../engine/model/viewer.ts'
import { messageOf } from '../../engine/model/message.ts'

export type UserAction = 'update' | 'delete'

interface RuledUser {
  id: string
  username: string
  roleId: string
}

/** Returns why the viewer cannot change the user, or null. */
export function userRefusal(action: UserAction, user: RuledUser, viewer: Viewer): Fault | null {
  if (user.roleId === systemRoles['platform.root'].id)
    return new Fault('forbidden', messageOf('access.root_fixed', { name: user.username }))
  if (action === 'delete' && user.id === viewer.userId)
    return new Fault('forbidden', messageOf('access.not_yourself'))
  return null
}

/** Returns why the role cannot be assigned to a user, or null. */
export function assignmentRefusal(role: { id: string; name: string }): Fault | null {
  if (role.id !== systemRoles['platform.root'].id) return null
  return new Fault('forbidden', messageOf('access.role_of_root', { name: role.name }))
}

export function mustNotBeRefused(refusal: Fault | null): void {
  if (refusal) throw refusal
}
