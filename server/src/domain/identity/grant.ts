import { Fault } from '../../engine/model/fault.ts'
import { holds } from '../../engine/model/held.ts'
import { notHeld } from './not-held.ts'
import { isPermission, tenantPermissions } from './permission.ts'
import { invalid } from '../../engine/model/name.ts'
import { messageOf } from '../../engine/model/message.ts'

const wildcards: readonly string[] = ['*', '*:read']

/**
 * The permissions that a caller typed, each known and once; refused with the name of the field
 * otherwise.
 */
export function requirePermissions(asked: readonly string[], path: string): string[] {
  const unknown = asked.filter((text) => !isPermission(text) && !wildcards.includes(text))
  if (unknown.length === 0) return [...new Set(asked)]
  throw invalid(path, messageOf('field.unknown_permissions', { permissions: unknown.slice(0, 5) }))
}

/** Nobody can give away what they do not hold. */
export function mustHoldAll(held: ReadonlySet<string>, wanted: readonly string[]): void {
  const missing = notHeld(held, wanted)
  if (missing.length === 0) return
  throw new Fault(
    'forbidden',
    messageOf('access.grant_beyond_own', { permissions: missing.slice(0, 5) }),
  )
}

/**
 * A tenant's own role ends at the tenant: not even root puts permissions of the platform into one.
 */
export function mustBeOfTenant(permissions: readonly string[], path: string): void {
  // Any text may be looked for in a list of texts.
  const outside = permissions.filter(
    (permission) => !(tenantPermissions as readonly string[]).includes(permission),
  )
  if (outside.length === 0) return
  throw invalid(path, messageOf('field.platform_permissions', { permissions: outside }))
}

/** What is left of the held permissions under the scopes of a key: never more than is held now. */
export function narrowed(
  held: ReadonlySet<string>,
  scopes: readonly string[],
): ReadonlySet<string> {
  if (scopes.length === 0) return held
  return new Set(scopes.flatMap((scope) => under(scope, held)))
}

function under(scope: string, held: ReadonlySet<string>): string[] {
  if (scope === '*') return [...held]
  if (scope === '*:read')
    return held.has('*')
      ? ['*:read']
      : [...held].filter((permission) => permission.endsWith(':read'))
  return isPermission(scope) && holds(held, scope) ? [scope] : []
}
