import { Fault, type FaultCode } from '../../engine/model/fault.ts'
import { type Account } from '../../store/identity/principal.ts'
import { type Op } from '../../store/op.ts'
import { type Identity, callBy } from '../identity/identity.ts'
import { type OpenedSession, type SessionRequest, openSession } from './open-session.ts'
import { isPassword } from '../identity/password-hash.ts'
import { isValidCode } from '../second-factor/is-valid-code.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface LoginRequest extends SessionRequest {
  username: string
  password: string
  /** A code of the authenticator app, or a recovery code, of a user with a second factor. */
  code?: string | null
}

const checkedRefusals: readonly FaultCode[] = [
  'invalid_credentials',
  'second_factor_invalid',
  'second_factor_required',
]

/**
 * Opens a session after checking the password and, for a user with a second factor, the code. Each
 * checked attempt leaves an audit row, successful or not. Attempts beyond the throttle leave none,
 * because they could fill the audit log.
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
    const opened = await openProven(identity, account, attempt)
    await identity.throttle.forgive({ username, address: attempt.address })
    return opened
  } catch (error) {
    if (error instanceof Fault && checkedRefusals.includes(error.code))
      await identity.berth.refused(callBy(account, username, attempt), error.code)
    throw error
  }
}

/** Opens the session of a user whose password was right. */
async function openProven(
  identity: Identity,
  account: Account,
  attempt: LoginRequest,
): Promise<OpenedSession> {
  if (!account.hasSecondFactor) return openSession(identity, account, attempt)
  const code = attempt.code?.trim()
  if (!code) {
    await identity.throttle.uncount({ username: account.username, address: attempt.address })
    throw new Fault('second_factor_required', messageOf('access.second_factor_code'))
  }
  return openSession(identity, account, {
    ...attempt,
    mustProve: (op) => mustHaveValidCode(op, account, code),
  })
}

async function mustHaveValidCode(op: Op, { id }: Account, code: string): Promise<void> {
  const factor = await op.secondFactors.find(id)
  // An administrator may have removed it since the account was read.
  if (!factor?.confirmedAt || isValidCode(op, factor, code)) return
  throw new Fault('second_factor_invalid', messageOf('access.second_factor_wrong'))
}
