import { type UserView } from '../../domain/identity/user.ts'
import { type Op } from '../../store/op.ts'
import { type SessionSpan } from '../../store/identity/session.ts'
import { type Account } from '../../store/identity/principal.ts'
import { type Identity, type Origin, callBy } from './identity.ts'

export interface Opening extends Origin {
  kind: 'session' | 'token'
  operation: string
}

export interface OpenedSession {
  session: SessionSpan
  /** The token that the session begins with, and when it ends. */
  token: string
  expiresAt: string
  user: UserView
  permissions: readonly string[]
}

const idleSeconds = 86_400
/** An access token is short, because whoever reads it in a page has it until it ends. */
export const accessSeconds = 600

/** Opens a session for an account whose owner has been recognised, and records the login. */
export async function openSession(
  identity: Identity,
  account: Account,
  opening: Opening,
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
  { kind, userAgent, address, identity }: Opening & { identity: Identity },
) {
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
  op.audit.about('user', { id: account.id, name: account.username, tenantId: account.tenantId })
  const [session, user] = [await op.reads.sessions.span(id), await op.reads.users.find(account.id)]
  if (!session || !user) throw new TypeError('a session is not there after it was opened')
  return { session, user }
}

export const isoFromSeconds = (seconds: number): string => new Date(seconds * 1000).toISOString()
