import { Fault } from '../../engine/model/fault.ts'
import { isPlausiblePassword, requirePassword } from '../../domain/identity/password.ts'
import { PasswordsBusy, passwords } from '../../runtime/password.ts'
import { messageOf } from '../../engine/model/message.ts'

interface NewPassword {
  username: string
  password: string
  /** The input field that the refusal names. */
  path?: string
}

/**
 * Returns the hash of a valid new password. Call it before the unit of work touches a row, because
 * it may wait behind logins.
 */
export async function hashNewPassword({ username, password, path }: NewPassword): Promise<string> {
  const allowed = requirePassword(password, username, path)
  return passwords.hash(allowed).catch(refuse)
}

/** True when the password is correct. */
export async function isPassword(password: string, passwordHash: string): Promise<boolean> {
  const [isCorrect = false] = await matchingPasswords(password, [passwordHash])
  return isCorrect
}

/**
 * Tells for each hash if the password is correct. It takes the same time for a user that does not
 * exist, whose hash is null.
 */
export async function matchingPasswords(
  password: string,
  hashes: readonly (string | null)[],
): Promise<boolean[]> {
  const plausible = isPlausiblePassword(password)
  const found = await passwords.verifyEach(plausible ? password : '-', hashes).catch(refuse)
  return found.map((isCorrect) => isCorrect && plausible)
}

function refuse(error: unknown): never {
  if (!(error instanceof PasswordsBusy)) throw error
  const { retryAfterSeconds } = error
  throw new Fault('too_many_requests', messageOf('access.logins_busy'), {
    retryAfterSeconds,
    cause: error,
  })
}
