import { invalid } from '../../engine/model/name.ts'

const mostTags = 50
const mostTagLength = 64
const mostPassword = 256

export function requireTags(tags: readonly string[] | null | undefined): string[] {
  const wanted = [...new Set((tags ?? []).map((tag) => tag.trim()).filter((tag) => tag !== ''))]
  if (wanted.length > mostTags) throw invalid('tags', `must be at most ${mostTags}`)
  if (wanted.some((tag) => tag.length > mostTagLength))
    throw invalid('tags', `must be at most ${mostTagLength} characters each`)
  return wanted
}

/** Null where none is asked for: nobody gets a password by default. */
export function requireGuestPassword(password: string | null | undefined): string | null {
  if (password === null || password === undefined || password === '') return null
  if (password.length < 8) throw invalid('cloudInitPassword', 'must have at least 8 characters')
  if (password.length > mostPassword || /[\r\n]/.test(password))
    throw invalid('cloudInitPassword', `must be one line of at most ${mostPassword} characters`)
  return password
}
