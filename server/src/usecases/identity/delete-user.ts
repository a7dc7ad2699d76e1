import { notFound } from '../../engine/model/fault.ts'
import { type UserView } from '../../domain/identity/user.ts'
import { type VersionedRequest, mustBeVersion } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'
import { lockUser } from './lock-user.ts'

/** Deletes a user with its sessions and API keys. */
export async function deleteUser(op: Op, request: VersionedRequest): Promise<{ user: UserView }> {
  const { row, mustKeepAdministrator } = await lockUser(op, request.id, 'delete')
  mustBeVersion('user', row, request.ifVersion)
  mustKeepAdministrator()
  const user = await op.reads.users.find(row.id)
  if (!user) throw notFound('user', request.id)
  op.users.remove(row)
  op.changes.record('user', { id: user.id, version: user.version + 1, tenantId: user.tenantId })
  op.audit.setTarget('user', { id: user.id, name: user.username, tenantId: user.tenantId })
  return { user }
}
