import { defineEntity, p } from '@mikro-orm/core'
import { bookkept } from './columns.ts'

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
    ...bookkept,
  },
})

export class Role extends RoleSchema.class {}
RoleSchema.setClass(Role)
