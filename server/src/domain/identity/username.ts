import { invalid } from '../../engine/model/name.ts'
import { messageOf } from '../../engine/model/message.ts'

const shape = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]*$/u
const most = 100
const mostEmail = 254

/** A name to log in with: trimmed, and in the one form that Unicode has for it. */
export function requireUsername(text: string, path = 'username'): string {
  const username = text.normalize('NFC').trim()
  if (username === '') throw invalid(path, messageOf('field.empty'))
  if (username.length > most) throw invalid(path, messageOf('field.at_most_characters', { most }))
  if (!shape.test(username)) throw invalid(path, messageOf('field.username_characters'))
  return username
}

/** An address to show; nobody is ever identified by it. */
export function requireEmail(text: string, path = 'email'): string {
  const email = text.trim()
  if (email.length > mostEmail)
    throw invalid(path, messageOf('field.at_most_characters', { most: mostEmail }))
  if (email !== '' && !/^[^\s@]+@[^\s@]+$/.test(email))
    throw invalid(path, messageOf('field.not_email'))
  return email
}
