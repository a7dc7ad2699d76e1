import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { tenantStates } from '../../domain/tenant/tenant.ts'
import { versionColumns, timestamp, messages } from '../../engine/database/sql/entity-columns.ts'
import { type Message } from '../../engine/model/message.ts'

export const TenantSchema = defineEntity({
  name: 'Tenant',
  tableName: 'tenant',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    slug: p.text(),
    namespace: p.text(),
    description: p.text().default(''),
    state: p.enum(tenantStates).default('creating'),
    stateReason: messages<Message>().nullable(),
    clusterUid: p.text().nullable(),
    observedAt: timestamp().nullable(),
    deleteRequestedAt: timestamp().nullable(),
    goneAt: timestamp().nullable(),
    externalUuid: p.text().nullable(),
    importSource: p.text().nullable(),
    requiresSecondFactor: p.boolean().default(false),
    generation: p.integer().default(1),
    ...versionColumns,
  },
})

export class Tenant extends TenantSchema.class {}
TenantSchema.setClass(Tenant)

declare module '../../engine/model/registry.ts' {
  interface Tables {
    tenant: InferKyselyTable<typeof TenantSchema>
  }
}
