import { type Kysely, sql } from 'kysely'
import { systemRoles } from '../../domain/identity/permission.ts'
import { type UserState } from '../../domain/identity/user.ts'
import { type UserRole } from '../../engine/model/viewer.ts'
import { type Tables } from '../../engine/model/registry.ts'

/** What a login needs to know of a user; it never leaves the server. */
export interface Account {
  id: string
  tenantId: string
  username: string
  passwordHash: string | null
  state: UserState
  roleId: string
  permissions: string[]
}

/** `userRoleFromRole` of the domain, for rows that are never hydrated. */
export const coarseRole = sql<UserRole>`case role_id when ${sql.lit(systemRoles['platform.root'].id)} then 'root'
  when ${sql.lit(systemRoles['tenant.admin'].id)} then 'tenant_admin' else 'user' end`

/** The users whose credentials are good at all: active, in a tenant that is still there. */
export const holders = (db: Kysely<Tables>) =>
  db
    .selectFrom('user_account')
    .innerJoin('role', 'role.id', 'user_account.role_id')
    .innerJoin('tenant', 'tenant.id', 'user_account.tenant_id')
    .where('user_account.state', '=', 'active')
    .where('tenant.gone_at', 'is', null)
    .select([
      'user_account.id as userId',
      'username',
      coarseRole.as('role'),
      'role_id as roleId',
      'role.permissions',
    ])
    .select(['user_account.tenant_id as tenantId', 'tenant.slug as tenantSlug'])

/** Users as a login finds them, whether they may log in or not. */
export const accounts = (db: Kysely<Tables>) =>
  db
    .selectFrom('user_account')
    .innerJoin('role', 'role.id', 'user_account.role_id')
    .innerJoin('tenant', 'tenant.id', 'user_account.tenant_id')
    .where('tenant.gone_at', 'is', null)
    .select([
      'user_account.id',
      'user_account.tenant_id as tenantId',
      'username',
      'password_hash as passwordHash',
    ])
    .select(['user_account.state', 'role.permissions', 'role_id as roleId'])
