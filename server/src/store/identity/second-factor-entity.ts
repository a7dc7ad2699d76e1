import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { timestamp } from '../../engine/database/sql/entity-columns.ts'

export const SecondFactorSchema = defineEntity({
  name: 'SecondFactor',
  tableName: 'second_factor',
  properties: {
    userId: p.uuid().primary(),
    tenantId: p.uuid(),
    secret: p.blob().columnType('bytea'),
    confirmedAt: timestamp().nullable(),
    lastStep: p.integer().default(0),
    recoveryHashes: p.array().columnType('text[]').default([]),
    createdAt: timestamp().defaultRaw('now()'),
  },
})

export class SecondFactor extends SecondFactorSchema.class {}
SecondFactorSchema.setClass(SecondFactor)

declare module '../../engine/model/registry.ts' {
  interface Tables {
    second_factor: InferKyselyTable<typeof SecondFactorSchema>
  }
}
