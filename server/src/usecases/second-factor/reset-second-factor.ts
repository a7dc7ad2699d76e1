import { Fault } from '../../engine/model/fault.ts'
import { messageOf } from '../../engine/model/message.ts'
import { type UserView } from '../../domain/identity/user.ts'
import { type VersionedRequest, mustBeVersion } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'
import { lockUser, userAfter } from '../identity/lock-user.ts'

/**
 * Removes the second factor of another user who has lost the device, and ends the logins of the
 * user: the lost device may have one.
 */
export async function resetSecondFactor(
  op: Op,
  request: VersionedRequest,
): Promise<{ user: UserView }> {
  const { row } = await lockUser(op, request.id, 'resetSecondFactor')
  mustBeVersion('user', row, request.ifVersion)
  const factor = await op.secondFactors.find(row.id)
  if (!factor)
    throw new Fault(
      'wrong_state',
      messageOf('access.second_factor_absent_of', { name: row.username }),
    )
  op.secondFactors.remove(factor)
  await op.sessions.revokeAll(row.id)
  return { user: await userAfter(op, row.id) }
}
