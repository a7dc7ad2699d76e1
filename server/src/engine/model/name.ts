import { Fault } from './fault.ts'

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
  if (slug === '') throw invalid(path, 'must contain a letter or a digit')
  if (slug.length > mostSlug) throw invalid(path, `must be at most ${mostSlug} characters`)
  return slug
}

/** Free text that must say something. */
export function requireText(text: string, path: string, most = 200): string {
  const trimmed = text.trim()
  if (trimmed === '') throw invalid(path, 'must not be empty')
  if (trimmed.length > most) throw invalid(path, `must be at most ${most} characters`)
  return trimmed
}

export function invalid(path: string, message: string): Fault {
  return new Fault('invalid_input', `${path} ${message}`, { fields: [{ path, message }] })
}
