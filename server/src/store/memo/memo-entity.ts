import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { versionColumns } from '../../engine/database/sql/entity-columns.ts'

export const MemoSchema = defineEntity({
  name: 'Memo',
  tableName: 'memo',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    name: p.text(),
    text: p.text(),
    ...versionColumns,
  },
})

export class Memo extends MemoSchema.class {}
MemoSchema.setClass(Memo)

declare module '../../engine/model/registry.ts' {
  interface Tables {
    memo: InferKyselyTable<typeof MemoSchema>
  }
}
