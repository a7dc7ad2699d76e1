import { Fault } from '../../engine/model/fault.ts'
import { type UserView } from '../../domain/identity/user.ts'
import { invalid } from '../../engine/model/name.ts'
import { type Call } from '../berth.ts'
import { type Identity } from './identity.ts'
import { hashNewPassword, isPassword } from './password-hash.ts'
import { userAfter } from './user-after.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface PasswordChange {
  currentPassword: string
  newPassword: string
}

/**
 * Gives the viewer another password and ends all sessions of theirs, this one too: whoever knew the
 * old one is out.
 */
export async function changePassword(
  { berth, throttle }: Identity,
  call: Call,
  asked: PasswordChange,
): Promise<{ user: UserView }> {
  const { viewer, address } = call
  const account = await berth.reads('platform').users.accountById(viewer.userId)
  if (!account?.passwordHash) throw new Fault('wrong_state', messageOf('access.password_elsewhere'))
  const attempt = { username: account.username, address }
  // A stolen session must not be a way to guess the password faster than the login allows.
  await throttle.admit(attempt)
  if (!(await isPassword(asked.currentPassword, account.passwordHash)))
    throw invalid('currentPassword', messageOf('field.not_password'))
  await throttle.forgive(attempt)
  const passwordHash = await hashNewPassword({
    username: account.username,
    password: asked.newPassword,
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
