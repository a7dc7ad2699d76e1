import { type Fault } from './fault.ts'
import { invalidInput } from './invalid-input.ts'
import { type Message, messageOf } from './message.ts'

/** A name that Kubernetes accepts as a part of the names of its objects. */
export const nameShape = { pattern: '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$', maxLength: 50 } as const
const shape = new RegExp(nameShape.pattern)

/**
 * Converts text to a valid name: lower case, `_` becomes `-`, any other run of characters becomes
 * `-`, and the ends are trimmed.
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
 * Returns what is wrong with a name, or null. `displayField` is the field for other text, where the
 * object has one.
 */
export function nameProblem(text: string, displayField?: string): Message | null {
  if (text.length > nameShape.maxLength)
    return messageOf('field.at_most_characters', { most: nameShape.maxLength })
  if (shape.test(text)) return null
  const slug = slugFrom(text)
  const problem =
    slug === ''
      ? messageOf('field.name_characters')
      : messageOf('field.name_characters_such_as', { example: slug })
  return displayField === undefined
    ? problem
    : messageOf('field.name_beside_display', { problem, field: displayField })
}

/** Refuses an invalid name. A name is never rewritten, so that clients find what they created. */
export function requireName(text: string, path: string, displayField?: string): string {
  const problem = nameProblem(text, displayField)
  if (problem) throw invalid(path, problem)
  return text
}

/** Trims free text. Refuses empty or too long text. */
export function requireText(text: string, path: string, maxLength = 200): string {
  const trimmed = text.trim()
  if (trimmed === '') throw invalid(path, messageOf('field.empty'))
  if (trimmed.length > maxLength)
    throw invalid(path, messageOf('field.at_most_characters', { most: maxLength }))
  return trimmed
}

/** Returns the display name of an object. An absent or blank one stands for its name. */
export const displayNameOf = (requested: string | null | undefined, name: string): string =>
  requireText(requested?.trim() || name, 'displayName')

/** Refuses one field of an input. */
export function invalid(path: string, problem: Message): Fault {
  return invalidInput([{ path, message: problem }])
}
