import { type Viewer, may } from '../../engine/model/viewer.ts'
import { type ApiKeyQuery } from '../../store/identity/api-key.ts'

/** Which keys the viewer sees of those in the tenant: all with `users:write`, else their own. */
export function visibleApiKeys(viewer: Viewer): ApiKeyQuery {
  return { userId: may(viewer, 'users:write') ? null : viewer.userId }
}
