import { Fault } from '../../engine/model/fault.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'
import { invalid } from '../../engine/model/name.ts'
import { type AdmittedLogin } from '../../engine/auth/login-throttle.ts'
import { loginNameOf } from '../../domain/identity/login-name.ts'
import { type Account } from '../../store/identity/principal.ts'
import { type Call } from '../berth.ts'
import { type Identity } from '../identity/identity.ts'
import { isPassword } from '../identity/password-hash.ts'

export interface ProvenAccount extends Account {
  passwordHash: string
  /** The check of the password as an attempt in the throttle. */
  attempt: AdmittedLogin
}

interface PasswordProof {
  password: string
  /** The input field that a refusal names. */
  path: string
  /** The refusal of a user of the identity provider. */
  elsewhere: Message
  /** The refusal of an API key. */
  byLogin: Message
}

/**
 * Returns the account of the viewer after checking its password again. The attempt stays counted
 * until the caller forgives or uncounts it: a stolen session must not allow faster guessing than
 * the login.
 */
export async function provenAccount(
  { berth, throttle }: Pick<Identity, 'berth' | 'throttle'>,
  { viewer, address }: Pick<Call, 'viewer' | 'address'>,
  { password, path, elsewhere, byLogin }: PasswordProof,
): Promise<ProvenAccount> {
  const account = await berth.reads('platform').users.accountById(viewer.userId)
  if (!account?.passwordHash) throw new Fault('wrong_state', elsewhere)
  if (viewer.credential === 'api_key') throw new Fault('forbidden', byLogin)
  // The check counts like a login with `tenant/name`.
  const accounts = [{ key: loginNameOf(account).toLowerCase(), userId: account.id }]
  const attempt = await throttle.admit({ accounts, address, device: null })
  if (!(await isPassword(password, account.passwordHash)))
    throw invalid(path, messageOf('field.not_password'))
  return { ...account, passwordHash: account.passwordHash, attempt }
}

/** The proof for a change of the second factor. */
export const proofOf = (password: string): PasswordProof => ({
  password,
  path: 'password',
  elsewhere: messageOf('access.second_factor_elsewhere'),
  byLogin: messageOf('access.second_factor_by_login'),
})
