import { timingSafeEqual } from 'node:crypto'
import { apiKeyPrefix } from '../../domain/identity/api-key.ts'
import { type Principal } from '../../domain/identity/principal.ts'
import { sha256 } from '../../runtime/ids.ts'
import { type Viewer } from '../../engine/model/viewer.ts'
import { type Identity } from './identity.ts'

/**
 * Returns the owner of an API key if the key is valid. Its use is recorded at most once a minute.
 */
export async function principalOfApiKey(
  { berth, credentials }: Pick<Identity, 'berth' | 'credentials'>,
  text: string,
): Promise<Principal | null> {
  const prefix = apiKeyPrefix(text)
  const found = prefix === null ? null : await berth.reads('platform').apiKeys.holder(prefix)
  if (!found) return null
  const { secretHash, isStale, ...principal } = found
  if (!timingSafeEqual(secretHash, sha256(text))) return null
  if (isStale) await credentials.touchApiKey(principal.credentialId)
  return principal
}

/**
 * Returns the owner of a session if the session is open and the owner may still log in. The use of
 * a token is recorded at most once a minute.
 */
export async function principalOfSession(
  { berth, credentials }: Pick<Identity, 'berth' | 'credentials'>,
  claim: { userId: string; sessionId: string; endsSeconds: number },
): Promise<Principal | null> {
  const found = await berth.reads('platform').sessions.holder(claim.sessionId, claim.endsSeconds)
  if (found?.userId !== claim.userId) return null
  const { isStale, ...principal } = found
  if (isStale) await credentials.touchToken(principal.credentialId)
  return principal
}

/** Returns the owner of a credential that was valid earlier, if it still is. */
export function principalOfCredential(
  berth: Pick<Identity['berth'], 'reads'>,
  { credential, credentialId }: { credential: Viewer['credential']; credentialId: string },
): Promise<Principal | null> {
  const { apiKeys, sessions } = berth.reads('platform')
  return credential === 'api_key' ? apiKeys.holderOf(credentialId) : sessions.holderOf(credentialId)
}
