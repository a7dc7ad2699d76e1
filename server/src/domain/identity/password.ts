import { invalid } from '../../engine/model/name.ts'
import { messageOf } from '../../engine/model/message.ts'

const fewest = 8
// Long enough for any passphrase; the bound keeps a login from being a way to make the server hash
// megabytes.
const most = 256

/** A password that may be set: long enough and not the name it protects. */
export function requirePassword(password: string, username: string, path = 'password'): string {
  if (password.length < fewest)
    throw invalid(path, messageOf('field.at_least_characters', { least: fewest }))
  if (password.length > most)
    throw invalid(path, messageOf('field.at_most_characters_had', { most }))
  if (password.toLowerCase() === username.toLowerCase())
    throw invalid(path, messageOf('field.is_username'))
  return password
}

/** Whether a password that was sent for a login is worth hashing at all. */
export function isPlausiblePassword(password: string): boolean {
  return password.length > 0 && password.length <= most
}
