import { type Scope } from '../../engine/model/scope.ts'
import { type Viewer, may } from '../../engine/model/viewer.ts'
import { type ApiKeyQuery } from '../../store/identity/api-key.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { type Berth } from '../berth.ts'

/**
 * Returns the query for the keys that the viewer may see: all keys of the tenant with
 * `users:write`, otherwise the viewer's own.
 */
export function visibleApiKeys(viewer: Viewer): ApiKeyQuery {
  if (isAway(viewer)) return { userId: null, of: [mustActInTenant(viewer), viewer.userId] }
  return { userId: may(viewer, 'users:write') ? null : viewer.userId }
}

/** Returns the reads in which `visibleApiKeys` are found. */
export const apiKeyReads = (
  berth: Pick<Berth, 'reads'>,
  { viewer, scope }: { viewer: Viewer; scope: Scope },
) => berth.reads(isAway(viewer) ? 'platform' : scope).apiKeys

/**
 * Returns the scope in which the viewer changes keys. The keys of root are stored in its tenant.
 * Root sees them in every tenant that it names, because clients name one with each request.
 */
export const apiKeyScope = (viewer: Viewer, scope: Scope): Scope =>
  isAway(viewer) ? 'platform' : scope

/** Only root can act in a tenant other than its own. */
const isAway = ({ role, tenantId, homeTenantId }: Viewer): boolean =>
  role === 'root' && tenantId !== homeTenantId
