import { holds } from '../../engine/model/held.ts'
import { isPermission } from './permission.ts'

/** The permissions of `wanted` that `held` does not cover: nobody can grant these. */
export function notHeld(held: ReadonlySet<string>, wanted: readonly string[]): string[] {
  return wanted.filter(
    (permission) => !held.has('*') && !(isPermission(permission) && holds(held, permission)),
  )
}
