/** Names of the objects in a tenant's namespace that isolate the tenant and limit its use. */
export const tenantObjectNames = {
  defaultDeny: 'tenant-wall',
  quota: 'tenant-net',
  limits: 'tenant-limits',
} as const
