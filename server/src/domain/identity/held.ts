import { type Permission, isPermission } from './permission.ts'

/** Whether a set of held permissions satisfies one; `*` holds all, `*:read` every read. */
export function holds(held: ReadonlySet<string>, wanted: Permission): boolean {
  return held.has('*') || held.has(wanted) || (wanted.endsWith(':read') && held.has('*:read'))
}

/** The permissions of `wanted` that `held` does not cover: nobody can grant these. */
export function notHeld(held: ReadonlySet<string>, wanted: readonly string[]): string[] {
  return wanted.filter(
    (permission) => !held.has('*') && !(isPermission(permission) && holds(held, permission)),
  )
}
