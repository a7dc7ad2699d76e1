import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { versionColumns } from '../../engine/database/sql/entity-columns.ts'

export const RoleSchema = defineEntity({
  name: 'Role',
  tableName: 'role',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid().nullable(),
    name: p.text(),
    description: p.text().default(''),
    permissions: p.array().columnType('text[]').default([]),
    isSystem: p.boolean().default(false),
    ...versionColumns,
  },
})

export class Role extends RoleSchema.class {}
RoleSchema.setClass(Role)

declare module '../../engine/model/registry.ts' {
  interface Tables {
    role: InferKyselyTable<typeof RoleSchema>
  }
}
