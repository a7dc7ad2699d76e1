import { type Viewer, may } from '../../engine/model/viewer.ts'
import { type ApiKeyQuery } from '../../store/identity/api-key.ts'

/**
 * Returns the query for the keys that the viewer may see: all keys of the tenant with
 * `users:write`, otherwise the viewer's own.
 */
export function visibleApiKeys(viewer: Viewer): ApiKeyQuery {
  return { userId: may(viewer, 'users:write') ? null : viewer.userId }
}
