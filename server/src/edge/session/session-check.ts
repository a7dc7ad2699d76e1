import { type Viewer } from '../../engine/model/viewer.ts'
import { faultFrom } from '../../engine/http/faults.ts'
import { rightsOf } from '../../engine/auth/rights.ts'
import { type Caller } from '../../engine/sockets/session.ts'

/** The credential, or the tenant that was named with it, is no longer good. */
const endings = new Set<string>([
  'unauthenticated',
  'forbidden',
  'tenant_forbidden',
  'not_found',
  'tenant_deleting',
])

/** Whether a credential still holds and means the same rights as it did then. */
export function standingOn(then: Viewer, look: () => Promise<Viewer>): Caller['standing'] {
  const rights = rightsOf(then)
  return () =>
    look().then(
      (now) => (rightsOf(now) === rights ? 'good' : 'changed'),
      (error: unknown) =>
        endings.has(faultFrom(error).code)
          ? 'ended'
          : Promise.reject(error instanceof Error ? error : new TypeError(String(error))),
    )
}
