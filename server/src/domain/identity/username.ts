import { invalid } from '../../engine/model/name.ts'

const shape = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]*$/u
const most = 100
const mostEmail = 254

/** A name to log in with: trimmed, and in the one form that Unicode has for it. */
export function requireUsername(text: string, path = 'username'): string {
  const username = text.normalize('NFC').trim()
  if (username === '') throw invalid(path, 'must not be empty')
  if (username.length > most) throw invalid(path, `must be at most ${most} characters`)
  if (!shape.test(username))
    throw invalid(
      path,
      'may contain letters, digits and . _ @ + - only, and starts with a letter or digit',
    )
  return username
}

/** An address to show; nobody is ever identified by it. */
export function requireEmail(text: string, path = 'email'): string {
  const email = text.trim()
  if (email.length > mostEmail) throw invalid(path, `must be at most ${mostEmail} characters`)
  if (email !== '' && !/^[^\s@]+@[^\s@]+$/.test(email))
    throw invalid(path, 'must be an e-mail address')
  return email
}
