/** Names of the objects in a tenant's namespace that isolate the tenant and limit its use. */
export const tenantParts = {
  wall: 'tenant-wall',
  net: 'tenant-net',
  limits: 'tenant-limits',
} as const
