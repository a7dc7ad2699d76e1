import { Fault } from '../../engine/model/fault.ts'
import { narrowed } from './grant.ts'
import { type CredentialKind, type UserRole, type Viewer } from '../../engine/model/viewer.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/** Whom a valid credential belongs to, as the database knows it now. */
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
  /** Of an API key; empty means all that the owner may do. */
  scopes: readonly string[]
}

/**
 * The caller acting in the tenant they named, else in their own: the role's permissions, cut to the
 * scopes of the key.
 */
export function viewerFromPrincipal(principal: Principal, namedTenantId: string | null): Viewer {
  const { userId, username, role, tenantId: homeTenantId, credential, credentialId } = principal
  const permissions = narrowed(new Set(principal.permissions), principal.scopes)
  const tenant = {
    tenantId: namedTenantId ?? homeTenantId,
    homeTenantId,
    tenantNamed: namedTenantId !== null,
  }
  return { userId, username, role, ...tenant, permissions, credential, credentialId }
}

/** The tenant that a caller acts in; refuses a caller who named none and has none. */
export function mustActInTenant(viewer: Viewer): string {
  if (viewer.tenantId !== null) return viewer.tenantId
  throw new Fault('tenant_required', messageOf('access.tenant_required'))
}

/** What is the caller's own lives in the caller's own tenant, wherever they act. */
export function mustActAtHome(viewer: Viewer, refusal: Message): string {
  const tenantId = mustActInTenant(viewer)
  if (tenantId === viewer.homeTenantId) return tenantId
  throw new Fault('tenant_forbidden', refusal)
}
