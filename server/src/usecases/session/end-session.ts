import { Fault, notFound } from '../../engine/model/fault.ts'
import { messageOf } from '../../engine/model/message.ts'
import { may } from '../../engine/model/viewer.ts'
import { mustHoldAsMuchAs } from '../../domain/identity/rules.ts'
import { type SessionView } from '../../domain/identity/session.ts'
import { type Op } from '../../store/op.ts'

/**
 * Ends a login for good: its tokens stop working everywhere. With `users:write` a viewer may end
 * any login of the tenant, otherwise only its own.
 */
export async function endSession(
  op: Op,
  { id }: { id: string },
): Promise<{ session: SessionView }> {
  const session = await op.reads.sessions.find(id)
  if (!session) throw notFound('login', id)
  const isOwn = session.userId === op.viewer.userId
  const maySee = session.tenantId === op.viewer.tenantId && may(op.viewer, 'users:write')
  if (!isOwn && !maySee) throw notFound('login', id)
  const owner = await op.users.get(session.userId)
  const { permissions } = await op.roles.get(owner.roleId, owner.tenantId)
  mustHoldAsMuchAs(op.viewer, { noun: 'user', name: owner.username, permissions })
  await revokeSession(op, { id, owner })
  return { session }
}

/** Ends the login whose token the request carries. An API key has no login. */
export async function logOut(op: Op): Promise<{ session: SessionView }> {
  const { credential, credentialId: id, userId } = op.viewer
  if (credential === 'api_key' || id === null)
    throw new Fault('wrong_state', messageOf('access.key_has_no_login'))
  const session = await op.reads.sessions.find(id)
  if (!session) throw notFound('login', id)
  await revokeSession(op, { id, owner: await op.users.get(userId) })
  return { session }
}

interface EndingSession {
  id: string
  owner: { id: string; username: string; version: number; tenantId: string }
}

/** Revokes a session. The change of its owner makes open streams check their credentials. */
export async function revokeSession(
  op: Op,
  { id, owner: { username: name, ...owner } }: EndingSession,
): Promise<void> {
  await op.sessions.revoke(id)
  op.changes.record('user', { id: owner.id, version: owner.version, tenantId: owner.tenantId })
  op.audit.setTarget('session', { id, name, tenantId: owner.tenantId })
}
