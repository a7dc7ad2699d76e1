import { defineEntity, p } from '@mikro-orm/core'

export const TenantBoundarySchema = defineEntity({
  name: 'TenantBoundary',
  tableName: 'tenant_boundary',
  properties: {
    tenantId: p.uuid().primary(),
    madeOf: p.text(),
    namespaceVersion: p.text(),
    wallVersion: p.text(),
    limitsVersion: p.text(),
  },
})
