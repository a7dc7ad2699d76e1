import { viewerFromPrincipal } from '../../domain/identity/principal.ts'
import { type CredentialKind, type Viewer } from '../../engine/model/viewer.ts'
import { type Berth } from '../berth.ts'
import { principalOfCredential } from './find-principal.ts'

/** What a ticket says of who asked for it. */
interface Grant {
  tenantId: string
  userId: string
  credential: Exclude<CredentialKind, 'none'>
  credentialId: string
}

/**
 * Who holds a ticket, as of now; null when the login is over or the tenant is none of theirs any
 * more.
 */
export async function viewerOfGrant(
  berth: Pick<Berth, 'reads'>,
  { credential, credentialId, userId, tenantId }: Grant,
): Promise<Viewer | null> {
  const principal = await principalOfCredential(berth, { credential, credentialId })
  if (principal?.userId !== userId) return null
  if (principal.tenantId === tenantId) return viewerFromPrincipal(principal, null)
  return principal.role === 'root' ? viewerFromPrincipal(principal, tenantId) : null
}
