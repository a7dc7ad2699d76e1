import { notFound } from '../../engine/model/fault.ts'
import { type UserView } from '../../domain/identity/user.ts'
import { type Op } from '../../store/op.ts'

/**
 * Returns the user as written by the unit of work, and adds it to the change log and the audit row.
 */
export async function userAfter(op: Op, id: string): Promise<UserView> {
  await op.flush()
  const user = await op.reads.users.find(id)
  if (!user) throw notFound('user', id)
  op.changes.record('user', { id, version: user.version, tenantId: user.tenantId })
  op.audit.setTarget('user', { id, name: user.username, tenantId: user.tenantId })
  return user
}
