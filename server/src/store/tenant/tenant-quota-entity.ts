import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'

export const TenantQuotaSchema = defineEntity({
  name: 'TenantQuota',
  tableName: 'tenant_quota',
  properties: {
    tenantId: p.uuid().primary(),
    vms: p.integer().nullable(),
    vcpus: p.integer().nullable(),
    memoryMi: p.integer().nullable(),
    storageGi: p.integer().nullable(),
    volumes: p.integer().nullable(),
    snapshots: p.integer().nullable(),
    vpcs: p.integer().nullable(),
    networks: p.integer().nullable(),
    publicAddresses: p.integer().nullable(),
  },
})

declare module '../../engine/model/registry.ts' {
  interface Tables {
    tenant_quota: InferKyselyTable<typeof TenantQuotaSchema>
  }
}
