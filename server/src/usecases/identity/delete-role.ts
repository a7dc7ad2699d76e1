import { Fault, notFound } from '../../engine/model/fault.ts'
import { type RoleView } from '../../domain/identity/role.ts'
import { type VersionedRequest, mustBeVersion } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'
import { lockRole } from './lock-role.ts'
import { messageOf } from '../../engine/model/message.ts'

/** Deletes a role that no user has. */
export async function deleteRole(op: Op, request: VersionedRequest): Promise<{ role: RoleView }> {
  const row = await lockRole(op, request.id)
  mustBeVersion('role', row, request.ifVersion)
  const holders = await op.users.countWithRole(row.id)
  if (holders > 0)
    throw new Fault('in_use', messageOf('access.role_held', { name: row.name, n: holders }))
  const role = await op.reads.roles.find(row.id)
  if (!role) throw notFound('role', request.id)
  op.roles.remove(row)
  op.changes.record('role', { id: role.id, version: role.version + 1, tenantId: role.tenantId })
  op.audit.setTarget('role', { id: role.id, name: role.name, tenantId: role.tenantId })
  return { role }
}
