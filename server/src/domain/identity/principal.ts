import { Fault } from '../../engine/model/fault.ts'
import { restrictToScopes } from './grant.ts'
import { type CredentialKind, type UserRole, type Viewer } from '../../engine/model/viewer.ts'
import { messageOf } from '../../engine/model/message.ts'

/** The user of a valid credential, read from the database at this request. */
export interface Principal {
  userId: string
  username: string
  role: UserRole
  roleId: string
  tenantId: string
  tenantSlug: string
  permissions: readonly string[]
  credential: CredentialKind
  credentialId: string
  /** The scopes of an API key; empty means all permissions of the owner. */
  scopes: readonly string[]
}

/**
 * Returns the caller, acting in the named tenant or else in the home tenant. The permissions are
 * those of the role, restricted to the scopes of the key.
 */
export function viewerFromPrincipal(principal: Principal, namedTenantId: string | null): Viewer {
  const { userId, username, role, tenantId: homeTenantId, credential, credentialId } = principal
  const permissions = restrictToScopes(new Set(principal.permissions), principal.scopes)
  const tenant = {
    tenantId: namedTenantId ?? homeTenantId,
    homeTenantId,
    tenantNamed: namedTenantId !== null,
  }
  return { userId, username, role, ...tenant, permissions, credential, credentialId }
}

/**
 * Returns the tenant that the caller acts in. Refuses a caller who named none and has no home
 * tenant.
 */
export function mustActInTenant(viewer: Viewer): string {
  if (viewer.tenantId !== null) return viewer.tenantId
  throw new Fault('tenant_required', messageOf('access.tenant_required'))
}

/** Returns the caller's home tenant, which stores the caller's own resources. */
export function mustHaveHomeTenant(viewer: Viewer): string {
  if (viewer.homeTenantId !== null) return viewer.homeTenantId
  throw new Fault('tenant_required', messageOf('access.tenant_required'))
}
