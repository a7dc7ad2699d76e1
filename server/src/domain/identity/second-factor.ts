import { type UserRole } from '../../engine/model/viewer.ts'

/** The users who need a second factor by the configuration: none, root, or all with a password. */
export type SecondFactorPolicy = 'optional' | 'root' | 'everyone'

/** The facts about a user that decide whether the user needs a second factor. */
export interface SecondFactorSubject {
  role: UserRole
  /** False for a user of an identity provider, which checks a second factor itself. */
  hasPassword: boolean
  /** True when the tenant of the user requires a second factor. */
  tenantRequiresSecondFactor: boolean
}

/** True when the user must have a second factor. A user without a password never needs one. */
export function needsSecondFactor(
  policy: SecondFactorPolicy,
  { role, hasPassword, tenantRequiresSecondFactor }: SecondFactorSubject,
): boolean {
  if (!hasPassword) return false
  if (policy === 'everyone' || tenantRequiresSecondFactor) return true
  return policy === 'root' && role === 'root'
}

/** The second factor of a user, and the facts that decide whether the user needs one. */
export interface SecondFactorView extends SecondFactorSubject {
  /** When it was confirmed; null without one. */
  confirmedAt: string | null
  recoveryCodesLeft: number
}
