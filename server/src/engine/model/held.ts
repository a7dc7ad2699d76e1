import { type Permission } from './permission.ts'

/** Whether a set of held permissions satisfies one; `*` holds all, `*:read` every read. */
export function holds(held: ReadonlySet<string>, wanted: Permission): boolean {
  return held.has('*') || held.has(wanted) || (wanted.endsWith(':read') && held.has('*:read'))
}
