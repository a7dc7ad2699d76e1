import { restrictToScopes } from './grant.ts'
import {
  type SecondFactorPolicy,
  type SecondFactorSubject,
  needsSecondFactor,
} from './second-factor.ts'
import { type CredentialKind, type Viewer } from '../../engine/model/viewer.ts'

/** The user of a valid credential, read from the database at this request. */
export interface Principal extends SecondFactorSubject {
  userId: string
  username: string
  roleId: string
  tenantId: string
  tenantSlug: string
  hasSecondFactor: boolean
  permissions: readonly string[]
  credential: CredentialKind
  credentialId: string
  /** The scopes of an API key; empty means all permissions of the owner. */
  scopes: readonly string[]
}

/**
 * Returns the caller, acting in the named tenant or else in the home tenant. The permissions are
 * those of the role, restricted to the scopes of the key. A login without a required second factor
 * has none.
 */
export function viewerFromPrincipal(
  principal: Principal,
  namedTenantId: string | null,
  policy: SecondFactorPolicy,
): Viewer {
  const { userId, username, role, tenantId: homeTenantId, credential, credentialId } = principal
  const lacksSecondFactor =
    credential !== 'api_key' && !principal.hasSecondFactor && needsSecondFactor(policy, principal)
  const held = new Set(lacksSecondFactor ? [] : principal.permissions)
  const permissions = restrictToScopes(held, principal.scopes)
  const tenant = {
    tenantId: namedTenantId ?? homeTenantId,
    homeTenantId,
    tenantNamed: namedTenantId !== null,
  }
  return {
    userId,
    username,
    role,
    ...tenant,
    permissions,
    credential,
    credentialId,
    lacksSecondFactor,
  }
}

/** Returns the tenant that the caller acts in. Every caller with a credential has one. */
export function mustActInTenant(viewer: Viewer): string {
  if (viewer.tenantId !== null) return viewer.tenantId
  throw new TypeError('a caller without a credential acts in no tenant')
}

/** Returns the caller's home tenant, which stores the caller's own resources. */
export function mustHaveHomeTenant(viewer: Viewer): string {
  if (viewer.homeTenantId !== null) return viewer.homeTenantId
  throw new TypeError('a caller without a credential has no home tenant')
}

interface Credential {
  userId: string
  credential: Exclude<CredentialKind, 'none'>
  credentialId: string
}

/** Returns the caller's credential. The authorization has refused callers without one. */
export function mustHaveCredential({ userId, credential, credentialId }: Viewer): Credential {
  if (credential !== 'none' && credentialId !== null) return { userId, credential, credentialId }
  throw new TypeError('a caller without a credential cannot have a ticket')
}
