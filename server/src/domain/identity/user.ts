import { systemRoles } from './permission.ts'
import { type UserRole } from '../../engine/model/viewer.ts'

export const userStates = ['active', 'disabled'] as const
export type UserState = (typeof userStates)[number]

/** A user as clients see it. */
export interface UserView {
  id: string
  tenantId: string
  username: string
  email: string
  role: UserRole
  roleId: string
  roleName: string
  state: UserState
  /** True when a login with the password of the user needs a code, too. */
  hasSecondFactor: boolean
  version: number
  createdAt: string
  updatedAt: string
}

/**
 * Maps a role to the coarse role that existing clients compare. All roles except the two system
 * roles become `user`.
 */
export function userRoleFromRole(roleId: string): UserRole {
  if (roleId === systemRoles['platform.root'].id) return 'root'
  return roleId === systemRoles['tenant.admin'].id ? 'tenant_admin' : 'user'
}
