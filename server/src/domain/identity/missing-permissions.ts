import { holdsPermission } from '../../engine/model/holds-permission.ts'
import { isPermission } from './permission.ts'

/** Returns the requested permissions that `held` does not cover. The caller cannot grant them. */
export function missingPermissions(
  held: ReadonlySet<string>,
  requested: readonly string[],
): string[] {
  return requested.filter(
    (permission) =>
      !held.has('*') && !(isPermission(permission) && holdsPermission(held, permission)),
  )
}
