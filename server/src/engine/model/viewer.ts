import { holdsPermission } from './holds-permission.ts'
import { type Permission } from './permission.ts'

export const userRoles = ['root', 'tenant_admin', 'user'] as const
export type UserRole = (typeof userRoles)[number]
export type CredentialKind = 'session' | 'token' | 'api_key' | 'none'

/**
 * The caller, the tenant it acts in, and its credential. The HTTP layer creates it once; inner
 * layers trust it.
 */
export interface Viewer {
  readonly userId: string
  readonly username: string
  readonly role: UserRole
  /** The tenant that the caller acts in; null when root named none. */
  readonly tenantId: string | null
  readonly homeTenantId: string | null
  /**
   * True when the caller named the tenant itself. Root without a named tenant sees the whole
   * platform where that makes sense.
   */
  readonly tenantNamed: boolean
  readonly permissions: ReadonlySet<string>
  readonly credential: CredentialKind
  /** The row id of the session or API key, for revocation and audit. */
  readonly credentialId: string | null
  /**
   * True for a login of a user who must set up a second factor first. Everything else is refused.
   */
  readonly lacksSecondFactor: boolean
}

export const anonymous: Viewer = {
  userId: '00000000-0000-0000-0000-000000000000',
  username: 'anonymous',
  role: 'user',
  tenantId: null,
  homeTenantId: null,
  tenantNamed: false,
  permissions: new Set(),
  credential: 'none',
  credentialId: null,
  lacksSecondFactor: false,
}

export function may(viewer: Viewer, permission: Permission): boolean {
  return holdsPermission(viewer.permissions, permission)
}

/** The actor of the platform's own work. */
export const platform: Viewer = { ...anonymous, username: 'platform', permissions: new Set(['*']) }
