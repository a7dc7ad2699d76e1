import { type SessionKind } from '../../domain/identity/session.ts'
import { type UserView } from '../../domain/identity/user.ts'
import { type Op } from '../../store/op.ts'
import { type SessionSpan } from '../../store/identity/session.ts'
import { type Account } from '../../store/identity/principal.ts'
import { type Identity, type Origin, callBy } from '../identity/identity.ts'

export interface SessionRequest extends Origin {
  kind: SessionKind
  operation: string
  /** Throws when the login lacks another proof. It runs in the unit that opens the session. */
  mustProve?: (op: Op) => Promise<void>
}

export interface OpenedSession {
  session: SessionSpan
  /** The first token of the session, and when it expires. */
  token: string
  expiresAt: string
  user: UserView
  permissions: readonly string[]
}

const idleSeconds = 86_400
/**
 * An access token is short-lived, because a script that reads it in a page can use it until it
 * expires.
 */
export const accessSeconds = 600

/** Opens a session for an authenticated account and records the login. */
export async function openSession(
  identity: Identity,
  account: Account,
  opening: SessionRequest,
): Promise<OpenedSession> {
  const { session, user } = await identity.berth.write(
    callBy(account, account.username, opening),
    (op) => open(op, account, { ...opening, identity }),
  )
  const endsSeconds =
    opening.kind === 'token'
      ? session.expiresSeconds
      : Math.min(session.expiresSeconds, session.nowSeconds + accessSeconds)
  const token = await identity.tokens.sign({
    userId: account.id,
    sessionId: session.id,
    issuedSeconds: session.nowSeconds,
    endsSeconds,
  })
  return {
    session,
    token,
    expiresAt: isoFromSeconds(endsSeconds),
    user,
    permissions: account.permissions,
  }
}

async function open(
  op: Op,
  account: Account,
  { kind, userAgent, address, identity, mustProve }: SessionRequest & { identity: Identity },
) {
  await mustProve?.(op)
  const ttlSeconds = kind === 'token' ? identity.tokenTtlSeconds : idleSeconds
  const owner = { userId: account.id, tenantId: account.tenantId }
  const { id } = op.sessions.open({
    ...owner,
    kind,
    userAgent: userAgent.slice(0, 300),
    address,
    ttlSeconds,
  })
  await op.flush()
  op.audit.setTarget('user', { id: account.id, name: account.username, tenantId: account.tenantId })
  const [session, user] = [await op.reads.sessions.span(id), await op.reads.users.find(account.id)]
  if (!session || !user) throw new TypeError('a session is missing after it was opened')
  return { session, user }
}

export const isoFromSeconds = (seconds: number): string => new Date(seconds * 1000).toISOString()
