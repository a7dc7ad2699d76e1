import { revokeSession } from './end-session.ts'
import { type Identity, type Origin, callBy } from '../identity/identity.ts'
import { type RefreshClaim } from './renew-session.ts'

/** Logs out of the console. Repeating it has no effect. */
export async function logOutOfConsole(
  { berth }: Identity,
  { sessionId }: Pick<RefreshClaim, 'sessionId'>,
  origin: Origin,
): Promise<void> {
  const account = await berth.reads('platform').sessions.owner(sessionId)
  if (!account) return
  const call = callBy(account, account.username, { ...origin, operation: 'logout' })
  await berth.write(call, async (op) =>
    revokeSession(op, { id: sessionId, owner: await op.users.get(account.id) }),
  )
}
