import { holdsPermission } from '../../engine/model/holds-permission.ts'
import { isPermission } from './permission.ts'

/** Returns the requested permissions that `held` does not cover. The caller cannot grant them. */
export function missingPermissions(
  held: ReadonlySet<string>,
  requested: readonly string[],
): string[] {
  return requested.filter(
    (permission) =>
      !held.has('*') &&
      // A key with `*:read` may grant `*:read`, which is no permission of the list.
      !held.has(permission) &&
      !(isPermission(permission) && holdsPermission(held, permission)),
  )
}
