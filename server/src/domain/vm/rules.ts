import { invalid } from '../../engine/model/name.ts'
import { messageOf } from '../../engine/model/message.ts'

const mostTags = 50
const mostTagLength = 64
const mostPassword = 256

export function requireTags(tags: readonly string[] | null | undefined): string[] {
  const wanted = [...new Set((tags ?? []).map((tag) => tag.trim()).filter((tag) => tag !== ''))]
  if (wanted.length > mostTags)
    throw invalid('tags', messageOf('field.at_most', { most: mostTags }))
  if (wanted.some((tag) => tag.length > mostTagLength))
    throw invalid('tags', messageOf('field.tag_characters', { most: mostTagLength }))
  return wanted
}

/** Null where none is asked for: nobody gets a password by default. */
export function requireGuestPassword(password: string | null | undefined): string | null {
  if (password === null || password === undefined || password === '') return null
  if (password.length < 8) throw invalid('cloudInitPassword', messageOf('vm.password_short'))
  if (password.length > mostPassword || /[\r\n]/.test(password))
    throw invalid('cloudInitPassword', messageOf('field.one_line', { most: mostPassword }))
  return password
}
