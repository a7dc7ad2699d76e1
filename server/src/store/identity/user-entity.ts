import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { userStates } from '../../domain/identity/user.ts'
import { versionColumns } from '../../engine/database/sql/entity-columns.ts'

export const UserSchema = defineEntity({
  name: 'User',
  tableName: 'user_account',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    username: p.text(),
    email: p.text().default(''),
    roleId: p.uuid(),
    state: p.enum(userStates).default('active'),
    passwordHash: p.text().nullable(),
    oidcIssuer: p.text().nullable(),
    oidcSubject: p.text().nullable(),
    ...versionColumns,
  },
})

export class User extends UserSchema.class {}
UserSchema.setClass(User)

declare module '../../engine/model/registry.ts' {
  interface Tables {
    user_account: InferKyselyTable<typeof UserSchema>
  }
}
