/** What keeps a tenant apart, in its namespace. */
export const tenantParts = {
  wall: 'tenant-wall',
  net: 'tenant-net',
  limits: 'tenant-limits',
} as const
