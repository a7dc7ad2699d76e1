import { mustHoldAsMuchAs, mustKeepAdministrator } from '../../domain/identity/rules.ts'
import { notFound } from '../../engine/model/fault.ts'
import { type Op } from '../../store/op.ts'

type Row = Awaited<ReturnType<Op['users']['get']>>

interface LockedUser {
  row: Row
  /** Refuses the change when the user is the last active administrator of its tenant. */
  mustKeepAdministrator(): void
}

/**
 * Returns the user, locked until the unit of work ends, if the viewer has all permissions that the
 * user has.
 */
export async function lockUser(op: Op, id: string): Promise<LockedUser> {
  const found = await op.reads.users.find(id)
  if (!found) throw notFound('user', id)
  // Administrators are locked before the user itself, so that two requests cannot lock each other out.
  const administrators = await op.users.administrators(found.tenantId)
  const row = await op.users.get(id)
  const { permissions } = await op.roles.get(row.roleId, row.tenantId)
  mustHoldAsMuchAs(op.viewer, { name: row.username, permissions })
  const others = administrators.filter((each) => each.id !== row.id)
  const { username, roleId, state } = row
  return {
    row,
    mustKeepAdministrator: () => mustKeepAdministrator({ username, roleId, state }, others.length),
  }
}
