import { type Fault } from './fault.ts'
import { invalidInput } from './invalid-input.ts'
import { type Message, messageOf } from './message.ts'

const maxSlugLength = 50

/**
 * Converts text to a name that Kubernetes accepts: lower case, `_` becomes `-`, any other run of
 * characters becomes `-`, and the ends are trimmed.
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
 * Returns the slug of a name from a request. Refuses it when no usable character is left or it is
 * too long for Kubernetes.
 */
export function requireSlug(text: string, path: string): string {
  const slug = slugFrom(text)
  if (slug === '') throw invalid(path, messageOf('field.slug_without_letters'))
  if (slug.length > maxSlugLength)
    throw invalid(path, messageOf('field.at_most_characters', { most: maxSlugLength }))
  return slug
}

/** Trims free text. Refuses empty or too long text. */
export function requireText(text: string, path: string, maxLength = 200): string {
  const trimmed = text.trim()
  if (trimmed === '') throw invalid(path, messageOf('field.empty'))
  if (trimmed.length > maxLength)
    throw invalid(path, messageOf('field.at_most_characters', { most: maxLength }))
  return trimmed
}

/** Refuses one field of an input. */
export function invalid(path: string, problem: Message): Fault {
  return invalidInput([{ path, message: problem }])
}
