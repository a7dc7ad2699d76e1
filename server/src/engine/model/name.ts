import { Fault } from './fault.ts'
import { type Message, messageOf } from './message.ts'

const mostSlug = 50

/**
 * A name as the cluster can carry it: lower case, `_` to `-`, any other run of characters to `-`,
 * trimmed.
 */
export function slugFrom(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll('_', '-')
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
}

/**
 * The slug of what a caller typed; refused when nothing usable is left or it is too long for the
 * cluster.
 */
export function requireSlug(text: string, path: string): string {
  const slug = slugFrom(text)
  if (slug === '') throw invalid(path, messageOf('field.slug_without_letters'))
  if (slug.length > mostSlug)
    throw invalid(path, messageOf('field.at_most_characters', { most: mostSlug }))
  return slug
}

/** Free text that must say something. */
export function requireText(text: string, path: string, most = 200): string {
  const trimmed = text.trim()
  if (trimmed === '') throw invalid(path, messageOf('field.empty'))
  if (trimmed.length > most) throw invalid(path, messageOf('field.at_most_characters', { most }))
  return trimmed
}

export function invalid(path: string, problem: Message): Fault {
  const fields = [{ path, message: problem }]
  return new Fault('invalid_input', messageOf('field.problem', { path, problem }), { fields })
}
