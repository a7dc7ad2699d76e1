import { type Permission } from './permission.ts'

/**
 * True when the held permissions include the required one. `*` includes all, `*:read` includes
 * every read.
 */
export function holdsPermission(held: ReadonlySet<string>, required: Permission): boolean {
  return held.has('*') || held.has(required) || (required.endsWith(':read') && held.has('*:read'))
}
