import { Fault } from '../../engine/model/fault.ts'
import { type Account } from '../../store/identity/principal.ts'
import { type Identity, callBy } from '../identity/identity.ts'
import { type OpenedSession, type SessionRequest, openSession } from './open-session.ts'
import { isPassword } from '../identity/password-hash.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface LoginRequest extends SessionRequest {
  username: string
  password: string
}

/**
 * Opens a session after checking the password. Each checked attempt leaves an audit row, successful
 * or not. Attempts beyond the throttle leave none, because they could fill the audit log.
 */
export async function login(identity: Identity, attempt: LoginRequest): Promise<OpenedSession> {
  const username = attempt.username.normalize('NFC').trim()
  let account: Account | null = null
  try {
    await identity.throttle.admit({ username, address: attempt.address })
    account = await identity.berth.reads('platform').users.account(username)
    const good = await isPassword(attempt.password, account?.passwordHash ?? null)
    if (!account || !good || account.state !== 'active')
      throw new Fault('invalid_credentials', messageOf('access.credentials_wrong'))
  } catch (error) {
    if (error instanceof Fault && error.code === 'invalid_credentials')
      await identity.berth.refused(callBy(account, username, attempt), error.code)
    throw error
  }
  await identity.throttle.forgive({ username, address: attempt.address })
  return openSession(identity, account, attempt)
}
