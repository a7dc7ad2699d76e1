import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import { type Kysely, sql } from 'kysely'
import { notFound } from '../../engine/model/fault.ts'
import { type RoleView } from '../../domain/identity/role.ts'
import { type Page, type PageRequest } from '../../engine/model/page.ts'
import { isId, newId } from '../../runtime/ids.ts'
import { Role } from './role-entity.ts'
import { type SortKey, readPage } from '../../engine/database/sql/page.ts'
import { type Reader, one, only } from '../../engine/database/sql/reader.ts'
import { countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type Tables } from '../../engine/model/registry.ts'

/** Writes roles in the transaction of a unit of work. */
export class RoleStore {
  readonly #em: EntityManager

  constructor(em: EntityManager) {
    this.#em = em
  }

  add(values: Pick<Role, 'tenantId' | 'name' | 'description' | 'permissions'>): Role {
    return this.#em.create(Role, { id: newId(), ...values })
  }

  addSystem(values: Pick<Role, 'id' | 'name' | 'permissions'>): Role {
    return this.#em.create(Role, { ...values, isSystem: true })
  }

  findSystem(): Promise<Role[]> {
    return this.#em.find(Role, { isSystem: true })
  }

  /**
   * Returns a role of the tenant or the platform. A tenant's role is locked until the unit ends, so
   * that it cannot change while it is assigned.
   */
  async get(id: string, tenantId: string): Promise<Role> {
    const role = isId(id)
      ? ((await this.#system({ id })) ??
        (await this.#em.findOne(Role, { id, tenantId }, { lockMode: LockMode.PESSIMISTIC_WRITE })))
      : null
    if (!role) throw notFound('role', id)
    return role
  }

  /**
   * Returns a role by name. The platform's roles win, so a tenant's role cannot replace one of
   * them.
   */
  async getByName(name: string, tenantId: string): Promise<Role> {
    const role =
      (await this.#system({ name })) ??
      (await this.#em.findOne(Role, { name, tenantId }, { lockMode: LockMode.PESSIMISTIC_WRITE }))
    if (!role) throw notFound('role', name)
    return role
  }

  /**
   * Takes no lock: row level security lets a tenant read system roles but not write them. They
   * change only with a release.
   */
  #system(which: { id: string } | { name: string }): Promise<Role | null> {
    return this.#em.findOne(Role, { ...which, isSystem: true })
  }

  remove(role: Role): void {
    this.#em.remove(role)
  }
}

/** Reads roles as clients see them. */
export class RoleReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  find(id: string): Promise<RoleView | null> {
    if (!isId(id)) return Promise.resolve(null)
    return one(
      this.#reader,
      statement('role.find', (db) => views(db).where('id', '=', slot<string>('id'))),
      { id },
    )
  }

  /** Lists the platform's roles first, then the tenant's own, each by name. */
  list(page: PageRequest): Promise<Page<RoleView>> {
    return readPage(this.#reader, page, {
      shape: 'role.list',
      keys,
      direction: 'asc',
      args: {},
      tenantColumn: null,
      rows: views,
    })
  }

  async count(): Promise<number> {
    const counted = statement('role.count', (db) => db.selectFrom('role').select(countAll))
    return (await only(this.#reader, counted, {})).total
  }
}

const keys: readonly SortKey<RoleView>[] = [
  { sql: sql`(not is_system)`, type: 'boolean', of: (row) => !row.isSystem },
  { sql: sql.ref('name'), type: 'text', of: (row) => row.name },
  { sql: sql.ref('id'), type: 'uuid', of: (row) => row.id },
]

const views = (db: Kysely<Tables>) =>
  db
    .selectFrom('role')
    .select([
      'id',
      'name',
      'description',
      'permissions',
      'version',
      'tenant_id as tenantId',
      'is_system as isSystem',
    ])
    .select(['created_at as createdAt', 'updated_at as updatedAt'])
