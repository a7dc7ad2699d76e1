import { type Identity, type Origin, callBy } from './identity.ts'
import { type RefreshClaim } from './renew-session.ts'

/** Logs out: the tokens of the session stop working everywhere. Repeating it has no effect. */
export async function endSession(
  { berth }: Identity,
  { sessionId }: Pick<RefreshClaim, 'sessionId'>,
  origin: Origin,
): Promise<void> {
  const account = await berth.reads('platform').sessions.owner(sessionId)
  if (!account) return
  const call = callBy(account, account.username, { ...origin, operation: 'logout' })
  await berth.write(call, async (op) => {
    const user = await op.users.get(account.id)
    await op.sessions.revoke(sessionId)
    op.changes.record('user', { id: user.id, version: user.version, tenantId: user.tenantId })
    op.audit.setTarget('user', { id: user.id, name: user.username, tenantId: user.tenantId })
  })
}
