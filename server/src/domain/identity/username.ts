import { invalid } from '../../engine/model/name.ts'
import { messageOf } from '../../engine/model/message.ts'

const shape = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]*$/u
const maxLength = 100
const maxEmailLength = 254
// A tenant's user with this name could pass for the user of the platform, for example in an audit
// log. Migration 0020 refuses it, too.
const nameOfRoot = 'root'

/** Validates a login name, trimmed and in Unicode form NFC. */
export function requireUsername(text: string, path = 'username'): string {
  const username = text.normalize('NFC').trim()
  if (username === '') throw invalid(path, messageOf('field.empty'))
  if (username.length > maxLength)
    throw invalid(path, messageOf('field.at_most_characters', { most: maxLength }))
  if (!shape.test(username)) throw invalid(path, messageOf('field.username_characters'))
  if (username.toLowerCase() === nameOfRoot)
    throw invalid(path, messageOf('field.username_of_root', { name: nameOfRoot }))
  return username
}

/** Validates an email address, which is for display only and never identifies a user. */
export function requireEmail(text: string, path = 'email'): string {
  const email = text.trim()
  if (email.length > maxEmailLength)
    throw invalid(path, messageOf('field.at_most_characters', { most: maxEmailLength }))
  if (email !== '' && !/^[^\s@]+@[^\s@]+$/.test(email))
    throw invalid(path, messageOf('field.not_email'))
  return email
}
