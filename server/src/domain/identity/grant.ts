import { Fault } from '../../engine/model/fault.ts'
import { holdsPermission } from '../../engine/model/holds-permission.ts'
import { missingPermissions } from './missing-permissions.ts'
import { isPermission, tenantPermissions } from './permission.ts'
import { invalid } from '../../engine/model/name.ts'
import { messageOf } from '../../engine/model/message.ts'

const wildcards: readonly string[] = ['*', '*:read']

/**
 * Validates the requested permissions and removes duplicates. Unknown permissions are refused with
 * the name of the field.
 */
export function requirePermissions(requested: readonly string[], path: string): string[] {
  const unknown = requested.filter((text) => !isPermission(text) && !wildcards.includes(text))
  if (unknown.length === 0) return [...new Set(requested)]
  throw invalid(path, messageOf('field.unknown_permissions', { permissions: unknown }))
}

/** Refuses to grant a permission that the caller does not hold. */
export function mustHoldAll(held: ReadonlySet<string>, requested: readonly string[]): void {
  const missing = missingPermissions(held, requested)
  if (missing.length === 0) return
  throw new Fault('forbidden', messageOf('access.grant_beyond_own', { permissions: missing }))
}

/** Refuses platform permissions in a role of a tenant, even when root creates it. */
export function mustBeOfTenant(permissions: readonly string[], path: string): void {
  // The cast only widens the element type, so that `includes` takes any text.
  const outside = permissions.filter(
    (permission) => !(tenantPermissions as readonly string[]).includes(permission),
  )
  if (outside.length === 0) return
  throw invalid(path, messageOf('field.platform_permissions', { permissions: outside }))
}

/**
 * Returns the held permissions that the scopes of the key allow. The result never exceeds the
 * permissions that are held now.
 */
export function restrictToScopes(
  held: ReadonlySet<string>,
  scopes: readonly string[],
): ReadonlySet<string> {
  if (scopes.length === 0) return held
  return new Set(scopes.flatMap((scope) => permissionsInScope(scope, held)))
}

function permissionsInScope(scope: string, held: ReadonlySet<string>): string[] {
  if (scope === '*') return [...held]
  if (scope === '*:read')
    return held.has('*')
      ? ['*:read']
      : [...held].filter((permission) => permission.endsWith(':read'))
  return isPermission(scope) && holdsPermission(held, scope) ? [scope] : []
}
