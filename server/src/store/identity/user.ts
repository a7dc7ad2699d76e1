import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import { type Kysely, sql } from 'kysely'
import { notFound } from '../../engine/model/fault.ts'
import { systemRoles } from '../../domain/identity/permission.ts'
import { type UserView } from '../../domain/identity/user.ts'
import { type Page, type PageRequest } from '../../engine/model/page.ts'
import { isId, newId } from '../../runtime/ids.ts'
import { User } from './user-entity.ts'
import { type SortKey, readPage } from '../../engine/database/sql/page.ts'
import { type Account, accounts, coarseRole } from './principal.ts'
import { type Reader, one, only } from '../../engine/database/sql/reader.ts'
import {
  type Filterable,
  contains,
  countAll,
  searchPattern,
  whereIf,
} from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type Tables } from '../../engine/model/registry.ts'

export interface UserQuery {
  search?: string | null
}

export type NewUser = Pick<User, 'tenantId' | 'username' | 'email' | 'roleId'> &
  Partial<Pick<User, 'passwordHash' | 'oidcIssuer' | 'oidcSubject'>>

/** Writes users in the transaction of a unit of work. */
export class UserStore {
  readonly #em: EntityManager

  constructor(em: EntityManager) {
    this.#em = em
  }

  add(values: NewUser): User {
    return this.#em.create(User, { id: newId(), ...values })
  }

  /** Returns the user, locked until the unit ends. */
  async get(id: string): Promise<User> {
    const user = isId(id)
      ? await this.#em.findOne(User, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
      : null
    if (!user) throw notFound('user', id)
    return user
  }

  /** Returns the platform's root, locked; null before the first start has created it. */
  root(): Promise<User | null> {
    return this.#em.findOne(
      User,
      { roleId: systemRoles['platform.root'].id },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    )
  }

  async countWithRole(roleId: string): Promise<number> {
    return this.#em.count(User, { roleId })
  }

  remove(user: User): void {
    this.#em.remove(user)
  }
}

/** Reads users for clients, and their accounts for logins. */
export class UserReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  find(id: string): Promise<UserView | null> {
    if (!isId(id)) return Promise.resolve(null)
    return one(
      this.#reader,
      statement('user.find', (db) => views(db).where('user_account.id', '=', slot<string>('id'))),
      { id },
    )
  }

  list(page: PageRequest, query: UserQuery): Promise<Page<UserView>> {
    return readPage(this.#reader, page, {
      shape: `user.list ${shapeOf(query)}`,
      keys,
      direction: 'asc',
      args: argsOf(query),
      tenantColumn: 'user_account.tenant_id',
      rows: (db) => matching(views(db), query),
    })
  }

  async count(query: UserQuery): Promise<number> {
    const counted = statement(`user.count ${shapeOf(query)}`, (db) =>
      matching(db.selectFrom('user_account').select(countAll), query),
    )
    return (await only(this.#reader, counted, argsOf(query))).total
  }

  account(username: string): Promise<Account | null> {
    const found = statement('user.account', (db) =>
      accounts(db).where(sql<boolean>`lower(username) = lower(${slot<string>('username')})`),
    )
    return one(this.#reader, found, { username })
  }

  accountById(id: string): Promise<Account | null> {
    return one(
      this.#reader,
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
    return one(this.#reader, found, { issuer, subject })
  }
}

const keys: readonly SortKey<UserView>[] = [
  { sql: sql.ref('username'), type: 'text', of: (row) => row.username },
  { sql: sql.ref('user_account.id'), type: 'uuid', of: (row) => row.id },
]

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
    .select(['user_account.created_at as createdAt', 'user_account.updated_at as updatedAt'])

const matching = <Query extends Filterable<Query>>(query: Query, { search }: UserQuery): Query =>
  whereIf(Boolean(search), query, contains('username', 'email'))

const shapeOf = ({ search }: UserQuery): string => (search ? 's' : '')

const argsOf = ({ search }: UserQuery): Record<string, unknown> => ({
  search: searchPattern(search),
})
