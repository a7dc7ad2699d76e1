import { type ListQuery, listReads } from '../../engine/database/sql/list-reads.ts'
import { UnitStore } from '../../engine/database/unit-store.ts'
import { LockMode } from '@mikro-orm/postgresql'
import { type Kysely, sql } from 'kysely'
import { systemRoles } from '../../domain/identity/permission.ts'
import { administratorRoles } from '../../domain/identity/rules.ts'
import { type LoginName, candidatesPerName } from '../../domain/identity/login-name.ts'
import { type UserView } from '../../domain/identity/user.ts'
import { newId } from '../../runtime/ids.ts'
import { User } from './user-entity.ts'
import { type SortKey } from '../../engine/database/sql/page.ts'
import { type Account, accounts, coarseRole, hasSecondFactor } from './principal.ts'
import { one } from '../../engine/database/sql/reader.ts'
import { contains, countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type Tables } from '../../engine/model/registry.ts'

export interface UserQuery extends ListQuery {
  sort?: keyof typeof sortKeys
}

export type NewUser = Pick<User, 'tenantId' | 'username' | 'email' | 'roleId'> &
  Partial<Pick<User, 'passwordHash' | 'oidcIssuer' | 'oidcSubject'>>

/** Writes users in the transaction of a unit of work. */
export class UserStore extends UnitStore {
  add(values: NewUser): User {
    return this.unit.em.create(User, { id: newId(), ...values })
  }

  /** Returns the user, locked until the unit ends. */
  get(id: string): Promise<User> {
    return this.lockById(User, { id }, 'user')
  }

  /** Returns the platform's root, locked; null before the first start has created it. */
  root(): Promise<User | null> {
    return this.lockRow(User, { roleId: systemRoles['platform.root'].id })
  }

  /**
   * Returns the active administrators of the tenant, locked in the order of their ids. Two requests
   * that remove one of them each wait for one another here.
   */
  administrators(tenantId: string): Promise<User[]> {
    return this.unit.em.find(
      User,
      { tenantId, state: 'active', roleId: { $in: [...administratorRoles] } },
      { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE },
    )
  }

  async countWithRole(roleId: string): Promise<number> {
    return this.unit.em.count(User, { roleId })
  }

  remove(user: User): void {
    this.unit.em.remove(user)
  }
}

/** Reads users for clients, and their accounts for logins. */
export class UserReads extends listReads<'user_account', UserView, UserQuery>({
  stem: 'user',
  tenantColumn: 'user_account.tenant_id',
  idColumn: 'user_account.id',
  rows: (db) => views(db),
  counted: (db) => db.selectFrom('user_account').select(countAll),
  found: contains('username', 'email'),
  sortedBy: ({ sort = 'username' }) => sortKeys[sort],
}) {
  /**
   * Returns the users with this name in the order in which a login prefers them. A name alone first
   * means users who may log in, and of these the oldest. So a later user takes it from no earlier
   * one.
   */
  accountsNamed({ tenantSlug, username }: LoginName): Promise<Account[]> {
    return tenantSlug === null
      ? this.reader.all(accountsNamedAnywhere(), { username })
      : this.reader.all(accountsNamedInTenant(), { tenantSlug, username })
  }

  accountById(id: string): Promise<Account | null> {
    return one(
      this.reader,
      statement('user.accountById', (db) =>
        accounts(db).where('user_account.id', '=', slot<string>('id')),
      ),
      { id },
    )
  }

  /**
   * Finds a user by the issuer and subject of an identity provider, never by name or email address.
   */
  accountByIdentity(issuer: string, subject: string): Promise<Account | null> {
    const found = statement('user.accountByIdentity', (db) =>
      accounts(db)
        .where('oidc_issuer', '=', slot<string>('issuer'))
        .where('oidc_subject', '=', slot<string>('subject')),
    )
    return one(this.reader, found, { issuer, subject })
  }
}

const isNamed = sql<boolean>`lower(username) = lower(${slot<string>('username')})`
const mayLogIn = sql<boolean>`user_account.state = 'active' and password_hash is not null`

const accountsNamedInTenant = () =>
  statement('user.accountsNamedInTenant', (db) =>
    accounts(db).where('tenant.slug', '=', slot<string>('tenantSlug')).where(isNamed),
  )

const accountsNamedAnywhere = () =>
  statement('user.accountsNamedAnywhere', (db) =>
    accounts(db)
      .where(isNamed)
      .orderBy(mayLogIn, 'desc')
      .orderBy('user_account.created_at')
      .orderBy('user_account.id')
      .limit(sql.lit(candidatesPerName)),
  )

const idKey: SortKey<UserView> = {
  sql: sql.ref('user_account.id'),
  type: 'uuid',
  of: (row) => row.id,
}
const usernameKey: SortKey<UserView> = {
  sql: sql.ref('username'),
  type: 'text',
  of: (row) => row.username,
}
const createdAtKey: SortKey<UserView> = {
  sql: sql.ref('user_account.created_at'),
  type: 'timestamptz',
  of: (row) => row.createdAt,
}
const sortKeys = { username: [usernameKey, idKey], createdAt: [createdAtKey, idKey] } as const

const views = (db: Kysely<Tables>) =>
  db
    .selectFrom('user_account')
    .innerJoin('role', 'role.id', 'user_account.role_id')
    .select([
      'user_account.id',
      'username',
      'email',
      'state',
      'user_account.version',
      'user_account.tenant_id as tenantId',
    ])
    .select(['role_id as roleId', 'role.name as roleName', coarseRole.as('role')])
    .select(hasSecondFactor.as('hasSecondFactor'))
    .select(['user_account.created_at as createdAt', 'user_account.updated_at as updatedAt'])
