import { Fault } from '../../engine/model/fault.ts'
import { isPlausiblePassword, requirePassword } from '../../domain/identity/password.ts'
import { PasswordsBusy, passwords } from '../../runtime/password.ts'
import { messageOf } from '../../engine/model/message.ts'

interface NewPassword {
  username: string
  password: string
  /** The field of the caller's input, for the refusal. */
  path?: string
}

/**
 * What may rest of a new password. Call it before the unit touches a row: it waits in line behind
 * logins.
 */
export async function hashNewPassword({ username, password, path }: NewPassword): Promise<string> {
  const allowed = requirePassword(password, username, path)
  return passwords.hash(allowed).catch(turnAway)
}

/** Whether the password is the one; as slow for a user who does not exist. */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  const plausible = isPlausiblePassword(password)
  return (
    (await passwords.verify(plausible ? password : '-', passwordHash).catch(turnAway)) && plausible
  )
}

function turnAway(error: unknown): never {
  if (!(error instanceof PasswordsBusy)) throw error
  const { retryAfterSeconds } = error
  throw new Fault('too_many_requests', messageOf('access.logins_busy'), {
    retryAfterSeconds,
    cause: error,
  })
}
