import { invalid } from '../../engine/model/name.ts'
import { messageOf } from '../../engine/model/message.ts'

const minLength = 8
// Long enough for any passphrase. Without the limit, a login could make the server hash megabytes.
const maxLength = 256

/** Validates a new password: it has the required length and differs from the username. */
export function requirePassword(password: string, username: string, path = 'password'): string {
  if (password.length < minLength)
    throw invalid(path, messageOf('field.at_least_characters', { least: minLength }))
  if (password.length > maxLength)
    throw invalid(path, messageOf('field.at_most_characters', { most: maxLength }))
  if (password.toLowerCase() === username.toLowerCase())
    throw invalid(path, messageOf('field.is_username'))
  return password
}

/** True when the password of a login request is worth hashing. */
export function isPlausiblePassword(password: string): boolean {
  return password.length > 0 && password.length <= maxLength
}
