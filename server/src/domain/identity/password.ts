import { invalid } from '../../engine/model/name.ts'

const fewest = 8
// Long enough for any passphrase; the bound keeps a login from being a way to make the server hash
// megabytes.
const most = 256

/** A password that may be set: long enough and not the name it protects. */
export function requirePassword(password: string, username: string, path = 'password'): string {
  if (password.length < fewest) throw invalid(path, `must have at least ${fewest} characters`)
  if (password.length > most) throw invalid(path, `must have at most ${most} characters`)
  if (password.toLowerCase() === username.toLowerCase())
    throw invalid(path, 'must not be the username')
  return password
}

/** Whether a password that was sent for a login is worth hashing at all. */
export function isPlausiblePassword(password: string): boolean {
  return password.length > 0 && password.length <= most
}
