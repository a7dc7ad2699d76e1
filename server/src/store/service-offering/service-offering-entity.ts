import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { offeringStates } from '../../domain/service-offering/service-offering.ts'
import { versionColumns } from '../../engine/database/sql/entity-columns.ts'

export const ServiceOfferingSchema = defineEntity({
  name: 'ServiceOffering',
  tableName: 'service_offering',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    displayName: p.text(),
    cpu: p.integer(),
    memoryMi: p.integer(),
    dedicatedCpu: p.boolean().default(false),
    storageTags: p.text().nullable(),
    state: p.enum(offeringStates).default('Active'),
    externalUuid: p.text().nullable(),
    importSource: p.text().nullable(),
    ...versionColumns,
  },
})

export class ServiceOffering extends ServiceOfferingSchema.class {}
ServiceOfferingSchema.setClass(ServiceOffering)

declare module '../../engine/model/registry.ts' {
  interface Tables {
    service_offering: InferKyselyTable<typeof ServiceOfferingSchema>
  }
}
