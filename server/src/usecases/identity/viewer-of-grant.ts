import { viewerFromPrincipal } from '../../domain/identity/principal.ts'
import { type CredentialKind, type Viewer } from '../../engine/model/viewer.ts'
import { type Berth } from '../berth.ts'
import { principalOfCredential } from './find-principal.ts'

/** The caller that requested a ticket. */
interface Grant {
  tenantId: string
  userId: string
  credential: Exclude<CredentialKind, 'none'>
  credentialId: string
}

/**
 * Returns the holder of a ticket for a console or for the events of a tenant, with its current
 * permissions. Null when the login or API key has ended, or the tenant is no longer accessible.
 */
export async function viewerOfGrant(
  berth: Pick<Berth, 'reads' | 'secondFactorPolicy'>,
  { credential, credentialId, userId, tenantId }: Grant,
): Promise<Viewer | null> {
  const principal = await principalOfCredential(berth, { credential, credentialId })
  if (principal?.userId !== userId) return null
  const isHome = principal.tenantId === tenantId
  if (!isHome && principal.role !== 'root') return null
  return viewerFromPrincipal(principal, isHome ? null : tenantId, berth.secondFactorPolicy)
}
