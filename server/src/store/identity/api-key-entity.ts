import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { versionColumns, timestamp } from '../../engine/database/sql/entity-columns.ts'

export const ApiKeySchema = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    userId: p.uuid(),
    name: p.text(),
    prefix: p.text(),
    secretHash: p.blob().columnType('bytea'),
    scopes: p.array().columnType('text[]').default([]),
    expiresAt: timestamp().nullable(),
    lastUsedAt: timestamp().nullable(),
    revokedAt: timestamp().nullable(),
    ...versionColumns,
  },
})

export class ApiKey extends ApiKeySchema.class {}
ApiKeySchema.setClass(ApiKey)

declare module '../../engine/model/registry.ts' {
  interface Tables {
    api_key: InferKyselyTable<typeof ApiKeySchema>
  }
}
