import { invalid } from '../../engine/model/name.ts'
import { messageOf } from '../../engine/model/message.ts'

const maxTags = 50
const maxTagLength = 64
const minPasswordLength = 8
const maxPasswordLength = 256

export function requireTags(tags: readonly string[] | null | undefined): string[] {
  const unique = [...new Set((tags ?? []).map((tag) => tag.trim()).filter((tag) => tag !== ''))]
  if (unique.length > maxTags)
    throw invalid('tags', messageOf('field.at_most_items', { most: maxTags }))
  if (unique.some((tag) => tag.length > maxTagLength))
    throw invalid('tags', messageOf('field.tag_characters', { most: maxTagLength }))
  return unique
}

/**
 * Validates the guest password; null when none is requested, because there is no default password.
 */
export function requireGuestPassword(password: string | null | undefined): string | null {
  if (password === null || password === undefined || password === '') return null
  if (password.length < minPasswordLength)
    throw invalid(
      'cloudInitPassword',
      messageOf('field.at_least_characters', { least: minPasswordLength }),
    )
  if (password.length > maxPasswordLength || /[\r\n]/.test(password))
    throw invalid('cloudInitPassword', messageOf('field.one_line', { most: maxPasswordLength }))
  return password
}
