import { Fault } from '../../engine/model/fault.ts'
import { type UserView } from '../../domain/identity/user.ts'
import { type Call } from '../berth.ts'
import { provenAccount } from '../second-factor/proven-account.ts'
import { type Identity } from './identity.ts'
import { hashNewPassword } from './password-hash.ts'
import { userAfter } from './lock-user.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface ChangePasswordRequest {
  currentPassword: string
  newPassword: string
}

/**
 * Changes the password of the viewer and ends all of its sessions, this one too. A thief of the old
 * password is logged out.
 */
export async function changePassword(
  identity: Identity,
  call: Call,
  request: ChangePasswordRequest,
): Promise<{ user: UserView }> {
  const { berth } = identity
  const account = await provenAccount(identity, call, {
    password: request.currentPassword,
    path: 'currentPassword',
    elsewhere: messageOf('access.password_elsewhere'),
    byLogin: messageOf('access.password_by_login'),
  })
  await account.attempt.uncount()
  const passwordHash = await hashNewPassword({
    username: account.username,
    password: request.newPassword,
    path: 'newPassword',
  })
  return berth.write({ ...call, scope: { tenantId: account.tenantId } }, async (op) => {
    const user = await op.users.get(account.id)
    if (user.passwordHash !== account.passwordHash)
      throw new Fault('conflict', messageOf('access.password_changed'))
    user.passwordHash = passwordHash
    await op.sessions.revokeAll(user.id)
    return { user: await userAfter(op, user.id) }
  })
}
