import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'

/**
 * The last known versions of the objects that isolate a tenant in the cluster. A difference shows
 * that an object was changed outside Berth.
 */
export const TenantBoundarySchema = defineEntity({
  name: 'TenantBoundary',
  tableName: 'tenant_boundary',
  properties: {
    tenantId: p.uuid().primary(),
    builtFrom: p.text(),
    namespaceVersion: p.text(),
    networkPolicyVersion: p.text(),
    limitsVersion: p.text(),
    limitsUid: p.text().nullable(),
    networkPolicyUid: p.text().nullable(),
    quotaUid: p.text().nullable(),
  },
})

declare module '../../engine/model/registry.ts' {
  interface Tables {
    tenant_boundary: InferKyselyTable<typeof TenantBoundarySchema>
  }
}
