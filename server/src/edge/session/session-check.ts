import { type Viewer } from '../../engine/model/viewer.ts'
import { faultFrom } from '../../engine/http/faults.ts'
import { rightsOf } from '../../engine/auth/rights.ts'
import { type Caller } from '../../engine/sockets/session.ts'

/** Faults that end a session: its credential or its tenant is no longer valid. */
const endings = new Set<string>([
  'unauthenticated',
  'forbidden',
  'tenant_forbidden',
  'not_found',
  'tenant_deleting',
])

/**
 * Builds a check that tells if a credential is still valid and has the same permissions as before.
 */
export function credentialCheckFor(
  initial: Viewer,
  identify: () => Promise<Viewer>,
): Caller['checkCredential'] {
  const rights = rightsOf(initial)
  return () =>
    identify().then(
      (current) => (rightsOf(current) === rights ? 'good' : 'changed'),
      (error: unknown) =>
        endings.has(faultFrom(error).code)
          ? 'ended'
          : Promise.reject(error instanceof Error ? error : new TypeError(String(error))),
    )
}
