import { type AdmittedLogin, type LoginDevice } from '../../engine/auth/login-throttle.ts'
import { Fault, type FaultCode } from '../../engine/model/fault.ts'
import { loginNameFrom, textOfLoginName } from '../../domain/identity/login-name.ts'
import { type Account } from '../../store/identity/principal.ts'
import { type Op } from '../../store/op.ts'
import { type Identity, callBy } from '../identity/identity.ts'
import { type OpenedSession, type SessionRequest, openSession } from './open-session.ts'
import { matchingPasswords } from '../identity/password-hash.ts'
import { isValidCode } from '../second-factor/is-valid-code.ts'
import { messageOf } from '../../engine/model/message.ts'
import { type LoginCandidate, loginCandidates } from './login-candidates.ts'

export interface LoginRequest extends SessionRequest {
  /** `tenant/name`, or the name alone. */
  username: string
  password: string
  /** A code of the authenticator app, or a recovery code, of a user with a second factor. */
  code?: string | null
  /** The browser, which only the console identifies. */
  device: LoginDevice | null
}

const secondFactorRefusals: readonly FaultCode[] = [
  'second_factor_invalid',
  'second_factor_required',
]

/**
 * Opens a session after checking the password and, for a user with a second factor, the code. Each
 * checked attempt leaves an audit row, successful or not. Attempts beyond the throttle leave none,
 * because they could fill the audit log.
 */
export async function login(identity: Identity, request: LoginRequest): Promise<OpenedSession> {
  const name = loginNameFrom(request.username)
  const attempt = { ...request, username: textOfLoginName(name) }
  const candidates = await loginCandidates(identity, name)
  const accounts = candidates.map((each) => ({ key: each.key, userId: each.account?.id ?? null }))
  const { address, device } = attempt
  const admitted = await identity.throttle.admit({ accounts, address, device })
  const tried = candidates.map((each) => (admitted.accounts.has(each.key) ? each : untried(each)))
  const account = await accountWithPassword(tried, attempt.password)
  if (!account) return refuse(identity, { tried, attempt })
  // A candidate that the password does not match stays counted: the success of one user must not
  // allow more guesses at another.
  const uncounted = candidates
    .filter((each) => !each.account || each.account.id === account.id)
    .map(({ key }) => key)
  const uncount = () => admitted.uncount(uncounted)
  const opened = await openProven(identity, account, { ...attempt, uncount })
  await admitted.forgive(uncounted)
  return opened
}

const untried = ({ key }: LoginCandidate): LoginCandidate => ({ key, account: null })

/**
 * Returns the active account with this password. Null when two have it, because a user must not get
 * into the account of another tenant by chance.
 */
async function accountWithPassword(
  tried: readonly LoginCandidate[],
  password: string,
): Promise<Account | null> {
  const matches = await matchingPasswords(
    password,
    tried.map(({ account }) => account?.passwordHash ?? null),
  )
  const [found, ...otherAccounts] = tried.flatMap(({ account }, index) =>
    account?.state === 'active' && matches[index] ? [account] : [],
  )
  return found && otherAccounts.length === 0 ? found : null
}

/**
 * Refuses a login, and records it in the tenant of the first account that it tried. The tenant of a
 * later user with the same name must not see who mistypes a password elsewhere.
 */
async function refuse(
  { berth }: Identity,
  { tried, attempt }: { tried: readonly LoginCandidate[]; attempt: LoginRequest },
): Promise<never> {
  const account = tried.find((each) => each.account)?.account ?? null
  await berth.refused(callBy(account, attempt.username, attempt), 'invalid_credentials')
  throw new Fault('invalid_credentials', messageOf('access.credentials_wrong'))
}

interface ProvenRequest extends LoginRequest {
  /** Uncounts the attempt in the throttle without resetting earlier ones. */
  uncount: AdmittedLogin['uncount']
}

/** Opens the session of a user whose password was right. */
async function openProven(
  identity: Identity,
  account: Account,
  request: ProvenRequest,
): Promise<OpenedSession> {
  try {
    return await openWithSecondFactor(identity, account, request)
  } catch (error) {
    if (error instanceof Fault && secondFactorRefusals.includes(error.code))
      await identity.berth.refused(callBy(account, account.username, request), error.code)
    throw error
  }
}

async function openWithSecondFactor(
  identity: Identity,
  account: Account,
  request: ProvenRequest,
): Promise<OpenedSession> {
  if (!account.hasSecondFactor) return openSession(identity, account, request)
  const code = request.code?.trim()
  if (!code) {
    await request.uncount()
    throw new Fault('second_factor_required', messageOf('access.second_factor_code'))
  }
  return openSession(identity, account, {
    ...request,
    mustProve: (op) => mustHaveValidCode(op, account, code),
  })
}

async function mustHaveValidCode(op: Op, { id }: Account, code: string): Promise<void> {
  const factor = await op.secondFactors.find(id)
  // An administrator may have removed it since the account was read.
  if (!factor?.confirmedAt || isValidCode(op, factor, code)) return
  throw new Fault('second_factor_invalid', messageOf('access.second_factor_wrong'))
}
