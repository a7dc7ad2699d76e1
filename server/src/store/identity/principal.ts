import { type Kysely, sql } from 'kysely'
import { systemRoles } from '../../domain/identity/permission.ts'
import { type UserState } from '../../domain/identity/user.ts'
import { type UserRole } from '../../engine/model/viewer.ts'
import { type Tables } from '../../engine/model/registry.ts'

/** The fields of a user that a login needs. They never leave the server. */
export interface Account {
  id: string
  tenantId: string
  tenantSlug: string
  username: string
  passwordHash: string | null
  state: UserState
  roleId: string
  permissions: string[]
  /** True when a login with a password needs a code, too. */
  hasSecondFactor: boolean
}

/** The domain's `userRoleFromRole` in SQL, for rows that are not loaded as entities. */
export const coarseRole = sql<UserRole>`case role_id when ${sql.lit(systemRoles['platform.root'].id)} then 'root'
  when ${sql.lit(systemRoles['tenant.admin'].id)} then 'tenant_admin' else 'user' end`

/** True for a user with a confirmed second factor. */
export const hasSecondFactor = sql<boolean>`exists (select from second_factor
  where second_factor.user_id = user_account.id and confirmed_at is not null)`

/** Selects the users whose credentials can be valid: active, in a tenant that exists. */
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
    .select('tenant.requires_second_factor as tenantRequiresSecondFactor')
    .select(sql<boolean>`password_hash is not null`.as('hasPassword'))
    .select(hasSecondFactor.as('hasSecondFactor'))

/** Selects users for a login, including those who may not log in. */
export const accounts = (db: Kysely<Tables>) =>
  db
    .selectFrom('user_account')
    .innerJoin('role', 'role.id', 'user_account.role_id')
    .innerJoin('tenant', 'tenant.id', 'user_account.tenant_id')
    .where('tenant.gone_at', 'is', null)
    .select([
      'user_account.id',
      'user_account.tenant_id as tenantId',
      'tenant.slug as tenantSlug',
      'username',
      'password_hash as passwordHash',
    ])
    .select(['user_account.state', 'role.permissions', 'role_id as roleId'])
    .select(hasSecondFactor.as('hasSecondFactor'))
