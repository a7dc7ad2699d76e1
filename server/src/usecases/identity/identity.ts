import { type Viewer, anonymous } from '../../engine/model/viewer.ts'
import { type LoginThrottle } from '../../engine/auth/login-throttle.ts'
import { type CredentialUpdates } from '../../store/identity/session-rotation.ts'
import { type Account } from '../../store/identity/principal.ts'
import { userRoleFromRole } from '../../domain/identity/user.ts'
import { type Berth, type Call } from '../berth.ts'

/** The parts that logging in needs in addition to the use cases. compose builds it once. */
export interface Identity {
  berth: Pick<Berth, 'reads' | 'write' | 'refused' | 'secondFactorPolicy'>
  throttle: LoginThrottle
  credentials: CredentialUpdates
  tokens: TokenSigner
  /** The lifetime of a token for scripts. */
  tokenTtlSeconds: number
}

/** The claims of a token. The seconds are those of the database's clock. */
export interface TokenClaims {
  userId: string
  sessionId: string
  issuedSeconds: number
  endsSeconds: number
}

export interface TokenSigner {
  sign(claims: TokenClaims): Promise<string>
}

/** The origin of a call that is not a mutation of the API. */
export interface Origin {
  requestId: string
  address: string
  userAgent: string
}

/**
 * Returns the call of a user who is about to be authenticated. It is recorded in the tenant of the
 * account, if there is one.
 */
export function callBy(
  account: Account | null,
  username: string,
  { operation, ...origin }: Origin & { operation: string },
): Call {
  const { requestId, address } = origin
  const viewer = account
    ? viewerFromAccount(account)
    : { ...anonymous, username: username.slice(0, 100) }
  const scope = account ? { tenantId: account.tenantId } : ('platform' as const)
  return { viewer, scope, operation, requestId, address, idempotency: null }
}

function viewerFromAccount({ id, username, roleId, tenantId, permissions }: Account): Viewer {
  const role = userRoleFromRole(roleId)
  return {
    ...anonymous,
    userId: id,
    username,
    role,
    tenantId,
    homeTenantId: tenantId,
    permissions: new Set(permissions),
  }
}
