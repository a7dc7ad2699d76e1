import {
  type ListQuery,
  type NamedQuery,
  byNameOrAge,
  idKey,
  listReads,
  nameKey,
} from '../../engine/database/sql/list-reads.ts'
import { UnitStore } from '../../engine/database/unit-store.ts'
import { type Kysely, sql } from 'kysely'
import { notFound } from '../../engine/model/fault.ts'
import { type RoleView } from '../../domain/identity/role.ts'
import { isId, newId } from '../../runtime/ids.ts'
import { Role } from './role-entity.ts'
import { type SortKey } from '../../engine/database/sql/page.ts'
import { countAll } from '../../engine/database/sql/search.ts'
import { type Tables } from '../../engine/model/registry.ts'

/** Writes roles in the transaction of a unit of work. */
export class RoleStore extends UnitStore {
  add(values: Pick<Role, 'tenantId' | 'name' | 'description' | 'permissions'>): Role {
    return this.unit.em.create(Role, { id: newId(), ...values })
  }

  addSystem(values: Pick<Role, 'id' | 'name' | 'permissions'>): Role {
    return this.unit.em.create(Role, { ...values, isSystem: true })
  }

  findSystem(): Promise<Role[]> {
    return this.unit.em.find(Role, { isSystem: true })
  }

  /**
   * Returns a role of the tenant or the platform. A tenant's role is locked until the unit ends, so
   * that it cannot change while it is assigned.
   */
  async get(id: string, tenantId: string): Promise<Role> {
    const role = isId(id)
      ? ((await this.#system({ id })) ?? (await this.lockRow(Role, { id, tenantId })))
      : null
    if (!role) throw notFound('role', id)
    return role
  }

  /**
   * Returns a role by name. The platform's roles win, so a tenant's role cannot replace one of
   * them.
   */
  async getByName(name: string, tenantId: string): Promise<Role> {
    const role = await this.findByName(name, tenantId)
    if (!role) throw notFound('role', name)
    return role
  }

  /** Returns the role that `getByName` returns; null when there is none. */
  async findByName(name: string, tenantId: string): Promise<Role | null> {
    return (await this.#system({ name })) ?? this.lockRow(Role, { name, tenantId })
  }

  /**
   * Takes no lock: row level security lets a tenant read system roles but not write them. They
   * change only with a release.
   */
  #system(which: { id: string } | { name: string }): Promise<Role | null> {
    return this.unit.em.findOne(Role, { ...which, isSystem: true })
  }

  remove(role: Role): void {
    this.unit.em.remove(role)
  }
}

export interface RoleQuery extends ListQuery {
  /** Without it, the platform's roles come first, then the tenant's own, each by name. */
  sort?: NamedQuery['sort']
}

/** Reads roles as clients see them. */
export class RoleReads extends listReads<'role', RoleView, RoleQuery>({
  stem: 'role',
  tenantColumn: null,
  rows: (db) => views(db),
  counted: (db) => db.selectFrom('role').select(countAll),
  sortedBy: ({ sort }) => (sort ? byNameOrAge({ sort }) : [isOwn, nameKey, idKey]),
}) {}

const isOwn: SortKey<RoleView> = {
  sql: sql`(not is_system)`,
  type: 'boolean',
  of: (row) => !row.isSystem,
}

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
