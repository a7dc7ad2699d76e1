import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import {
  guestSystems,
  importStates,
  templateSources,
  templateStates,
} from '../../domain/vm-template/vm-template.ts'
import { importReasons } from '../../domain/vm-template/import-failure.ts'
import {
  versionColumns,
  float,
  timestamp,
  messages,
} from '../../engine/database/sql/entity-columns.ts'
import { type Message } from '../../engine/model/message.ts'

export const VmTemplateSchema = defineEntity({
  name: 'VmTemplate',
  tableName: 'vm_template',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid().nullable(),
    name: p.text(),
    displayName: p.text(),
    description: p.text().default(''),
    image: p.text(),
    sourceType: p.enum(templateSources),
    osType: p.enum(guestSystems).default('linux'),
    cloudInitUserData: p.text().nullable(),
    isoSizeGi: p.integer().default(8),
    bootDiskSizeGi: p.integer().default(32),
    storageClass: p.text().nullable(),
    state: p.enum(templateStates).default('Active'),
    importGeneration: p.integer().default(0),
    deleteRequestedAt: timestamp().nullable(),
    importObservedGeneration: p.integer().default(0),
    importState: p.enum(importStates).nullable(),
    importReason: p.enum(importReasons).nullable(),
    importDetail: messages<Message>().nullable(),
    importPercent: float().nullable(),
    importedBytes: float().nullable(),
    totalBytes: float().nullable(),
    bytesPerSecond: float().nullable(),
    importEtaSeconds: float().nullable(),
    clusterUid: p.text().nullable(),
    observedAt: timestamp().nullable(),
    goneAt: timestamp().nullable(),
    ...versionColumns,
  },
})

export class VmTemplate extends VmTemplateSchema.class {}
VmTemplateSchema.setClass(VmTemplate)

declare module '../../engine/model/registry.ts' {
  interface Tables {
    vm_template: InferKyselyTable<typeof VmTemplateSchema>
  }
}
