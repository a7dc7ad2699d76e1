import { Fault } from '../../engine/model/fault.ts'
import { type UserView } from '../../domain/identity/user.ts'
import { invalid } from '../../engine/model/name.ts'
import { type Call } from '../berth.ts'
import { type Identity } from './identity.ts'
import { hashNewPassword, isPassword } from './password-hash.ts'
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
  { berth, throttle }: Identity,
  call: Call,
  request: ChangePasswordRequest,
): Promise<{ user: UserView }> {
  const { viewer, address } = call
  const account = await berth.reads('platform').users.accountById(viewer.userId)
  if (!account?.passwordHash) throw new Fault('wrong_state', messageOf('access.password_elsewhere'))
  if (viewer.credential === 'api_key')
    throw new Fault('forbidden', messageOf('access.password_by_login'))
  const attempt = { username: account.username, address }
  // A stolen session must not allow faster guessing of the password than the login.
  await throttle.admit(attempt)
  if (!(await isPassword(request.currentPassword, account.passwordHash)))
    throw invalid('currentPassword', messageOf('field.not_password'))
  await throttle.forgive(attempt)
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
