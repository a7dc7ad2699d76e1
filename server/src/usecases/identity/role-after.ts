import { notFound } from '../../engine/model/fault.ts'
import { type RoleView } from '../../domain/identity/role.ts'
import { type Op } from '../../store/op.ts'

/**
 * Returns the role as written by the unit of work, and adds it to the change log and the audit row.
 */
export async function roleAfter(op: Op, id: string): Promise<RoleView> {
  await op.flush()
  const role = await op.reads.roles.find(id)
  if (!role) throw notFound('role', id)
  op.changes.record('role', { id, version: role.version, tenantId: role.tenantId })
  op.audit.setTarget('role', { id, name: role.name, tenantId: role.tenantId })
  return role
}
