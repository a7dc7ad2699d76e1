import { Fault } from '../../engine/model/fault.ts'
import { revokeSession } from './end-session.ts'
import { type Identity, type Origin, callBy } from '../identity/identity.ts'
import { accessSeconds, isoFromSeconds } from './open-session.ts'
import { type SessionSpan } from '../../store/identity/session.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface RefreshClaim {
  sessionId: string
  generation: number
}

export interface RenewedSession {
  session: SessionSpan
  token: string
  expiresAt: string
}

/**
 * Returns the next access token of a session. A refresh token that was used before ends the
 * session: another client has it too.
 */
export async function renewSession(
  identity: Identity,
  claim: RefreshClaim,
  origin: Origin,
): Promise<RenewedSession> {
  const rotation = await identity.credentials.rotate(claim.sessionId, claim.generation)
  if (rotation.outcome === 'replayed')
    await endReplayed(identity, { ...claim, userId: rotation.userId }, origin)
  if (rotation.outcome !== 'turned')
    throw new Fault('unauthenticated', messageOf('access.session_over'))
  const { session } = rotation
  const endsSeconds = Math.min(session.expiresSeconds, session.nowSeconds + accessSeconds)
  const claims = {
    userId: session.userId,
    sessionId: session.id,
    issuedSeconds: session.nowSeconds,
    endsSeconds,
  }
  return {
    session,
    token: await identity.tokens.sign(claims),
    expiresAt: isoFromSeconds(endsSeconds),
  }
}

async function endReplayed(
  { berth }: Identity,
  { userId, sessionId }: RefreshClaim & { userId: string },
  origin: Origin,
): Promise<void> {
  const account = await berth.reads('platform').users.accountById(userId)
  if (!account) return
  const call = callBy(account, account.username, { ...origin, operation: 'endReplayedSession' })
  await berth.write(call, async (op) => {
    await revokeSession(op, { id: sessionId, owner: await op.users.get(userId) })
  })
}
