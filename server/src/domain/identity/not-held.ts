import { holds } from '../../engine/model/held.ts'
import { isPermission } from './permission.ts'

/** Returns the requested permissions that `held` does not cover. The caller cannot grant them. */
export function notHeld(held: ReadonlySet<string>, requested: readonly string[]): string[] {
  return requested.filter(
    (permission) => !held.has('*') && !(isPermission(permission) && holds(held, permission)),
  )
}
