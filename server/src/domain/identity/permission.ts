import { type Permission } from '../../engine/model/permission.ts'
import { type TenantPermission, permissionBases, vmPermissions } from '../nouns.ts'

/*
 * All permissions, and the built-in roles that grant them. Most permissions are `<noun>:read` and
 * `<noun>:write`.
 */

const platformPermissions = ['tenants:read', 'tenants:write'] as const

declare module '../../engine/model/registry.ts' {
  interface Permissions extends Record<
    TenantPermission | (typeof platformPermissions)[number],
    true
  > {}
}

export const tenantPermissions: readonly TenantPermission[] = [
  ...permissionBases.flatMap((base) => [`${base}:read`, `${base}:write`] as const),
  ...vmPermissions,
]

export const allPermissions: readonly Permission[] = [...platformPermissions, ...tenantPermissions]

export function isPermission(text: string): text is Permission {
  // The cast only widens the element type, so that `includes` takes any text.
  return (allPermissions as readonly string[]).includes(text)
}

/** The built-in roles. Their ids are fixed because existing clients store them. */
export const systemRoles = {
  'platform.root': { id: '00000000-0000-4000-8000-000000000001', permissions: ['*'] },
  'tenant.admin': {
    id: '00000000-0000-4000-8000-000000000002',
    permissions: [...tenantPermissions],
  },
  'tenant.operator': {
    id: '00000000-0000-4000-8000-000000000003',
    permissions: tenantPermissions.filter((permission) => !permission.startsWith('users:')),
  },
  'tenant.viewer': {
    id: '00000000-0000-4000-8000-000000000004',
    permissions: tenantPermissions.filter(
      (permission) => permission.endsWith(':read') && !permission.startsWith('users:'),
    ),
  },
} as const satisfies Record<string, { id: string; permissions: readonly (Permission | '*')[] }>
