import {
  type UserAction,
  mustHoldAsMuchAs,
  mustKeepAdministrator,
  mustNotBeRefused,
  userRefusal,
} from '../../domain/identity/rules.ts'
import { notFound } from '../../engine/model/fault.ts'
import { type UserView } from '../../domain/identity/user.ts'
import { type Op } from '../../store/op.ts'

type Row = Awaited<ReturnType<Op['users']['get']>>

interface LockedUser {
  row: Row
  /** Refuses the change when the user is the last active administrator of its tenant. */
  mustKeepAdministrator(): void
}

/**
 * Returns the user, locked until the unit of work ends. Refuses an action that is not allowed, and
 * a viewer who lacks a permission of the user.
 */
export async function lockUser(op: Op, id: string, action: UserAction): Promise<LockedUser> {
  const found = await op.reads.users.find(id)
  if (!found) throw notFound('user', id)
  // Administrators are locked before the user itself, so that no two requests wait for each other.
  const administrators = await op.users.administrators(found.tenantId)
  const row = await op.users.get(id)
  // No user can change root, so its permissions are not the reason.
  mustNotBeRefused(userRefusal(action, row, op.viewer))
  const { permissions } = await op.roles.get(row.roleId, row.tenantId)
  mustHoldAsMuchAs(op.viewer, { noun: 'user', name: row.username, permissions })
  const otherAdministrators = administrators.filter((each) => each.id !== row.id)
  const { username, roleId, state } = row
  return {
    row,
    mustKeepAdministrator: () =>
      mustKeepAdministrator({ username, roleId, state }, otherAdministrators.length),
  }
}

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
