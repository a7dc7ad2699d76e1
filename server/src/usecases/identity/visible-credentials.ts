import { type Scope } from '../../engine/model/scope.ts'
import { type Viewer, may } from '../../engine/model/viewer.ts'
import { type CredentialQuery } from '../../store/identity/credential-query.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { type Berth } from '../berth.ts'

/**
 * Returns the query for the API keys or logins that the viewer may see: all of the tenant with
 * `users:write`, otherwise the viewer's own.
 */
export function visibleCredentials(viewer: Viewer): CredentialQuery {
  if (isAway(viewer)) return { userId: null, of: [mustActInTenant(viewer), viewer.userId] }
  return { userId: may(viewer, 'users:write') ? null : viewer.userId }
}

/** Returns the reads in which `visibleCredentials` are found. */
export const credentialReads = (
  berth: Pick<Berth, 'reads'>,
  { viewer, scope }: { viewer: Viewer; scope: Scope },
) => berth.reads(credentialScope(viewer, scope))

/**
 * Returns the scope of the viewer's API keys and logins. Those of root are stored in its tenant.
 * Root sees them in every tenant that it names, because clients name one with each request.
 */
export const credentialScope = (viewer: Viewer, scope: Scope): Scope =>
  isAway(viewer) ? 'platform' : scope

/** Only root can act in a tenant other than its own. */
const isAway = ({ role, tenantId, homeTenantId }: Viewer): boolean =>
  role === 'root' && tenantId !== homeTenantId
