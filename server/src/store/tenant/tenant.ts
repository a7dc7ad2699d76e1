import { LockMode, raw } from '@mikro-orm/postgresql'
import { type Kysely, sql } from 'kysely'
import { notFound } from '../../engine/model/fault.ts'
import { type Page, type PageRequest } from '../../engine/model/page.ts'
import { type TenantState, type TenantView } from '../../domain/tenant/tenant.ts'
import { isId, newId } from '../../runtime/ids.ts'
import { ApiKey } from '../identity/api-key-entity.ts'
import { Role } from '../identity/role-entity.ts'
import { SecurityGroup } from '../security-group/security-group-entity.ts'
import { Session } from '../identity/session-entity.ts'
import { SshKey } from '../ssh-key/ssh-key-entity.ts'
import { Tenant } from './tenant-entity.ts'
import { User } from '../identity/user-entity.ts'
import { Vm } from '../vm/vm-entity.ts'
import { VmTemplate } from '../vm-template/vm-template-entity.ts'
import { type Direction, type SortKey, readPage } from '../../engine/database/sql/page.ts'
import { insertInto } from '../../engine/database/sql/insert-into.ts'
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
import { type UnitTools } from '../../engine/database/unit.ts'
import { type Message } from '../../engine/model/message.ts'

export interface TenantQuery {
  search?: string | null
  state?: TenantState | null
  sort: 'default' | 'name' | 'createdAt'
  direction: Direction
}

/** Writes tenants in the transaction of a unit of work. */
export class TenantStore {
  readonly #unit: Pick<UnitTools, 'em'>
  readonly #reader: Reader

  constructor(unit: Pick<UnitTools, 'em'>, reader: Reader) {
    this.#unit = unit
    this.#reader = reader
  }

  async insert(
    values: Pick<TenantView, 'name' | 'slug' | 'namespace' | 'description'>,
  ): Promise<TenantView> {
    return insertTenant(this.#reader, { id: newId(), ...values })
  }

  /**
   * Returns the tenant, locked until the unit ends, so that two changes of it follow each other.
   */
  async get(id: string): Promise<Tenant> {
    const tenant = isId(id)
      ? await this.#unit.em.findOne(
          Tenant,
          { id, goneAt: null },
          { lockMode: LockMode.PESSIMISTIC_WRITE },
        )
      : null
    if (!tenant) throw notFound('tenant', id)
    return tenant
  }

  /**
   * Increments the version, so that subscribers notice a change of an object that belongs to the
   * tenant.
   */
  touch(tenant: Tenant): void {
    tenant.updatedAt = raw('now()')
  }

  /** Records the request. The state follows when the reconciler has observed it. */
  requestDelete(tenant: Tenant): void {
    tenant.deleteRequestedAt = raw('now()')
    tenant.generation += 1
  }

  /** Returns the row, locked, even when the tenant is gone; null when it never existed. */
  row(id: string): Promise<Tenant | null> {
    return this.#unit.em.findOne(Tenant, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  }

  /** Records the observed state. Only the reconciler calls this. */
  observe(
    tenant: Tenant,
    observed: { state: TenantState; reason: Message | null; clusterUid?: string },
  ): void {
    tenant.state = observed.state
    tenant.stateReason = observed.reason
    tenant.clusterUid = observed.clusterUid ?? tenant.clusterUid ?? null
    tenant.observedAt = raw('now()')
  }

  /**
   * Ends the tenant: deletes its SSH keys, security groups, roles, users and their credentials, and
   * marks its VMs and templates as gone. The row stays as a record.
   */
  async erase(tenant: Tenant): Promise<void> {
    const own = { tenantId: tenant.id }
    await this.#unit.em.nativeDelete(SshKey, own)
    await this.#unit.em.nativeDelete(ApiKey, own)
    await this.#unit.em.nativeDelete(Session, own)
    await this.#unit.em.nativeDelete(User, own)
    await this.#unit.em.nativeDelete(Role, own)
    await this.#unit.em.nativeUpdate(Vm, { ...own, goneAt: null }, { goneAt: raw('now()') })
    await this.#unit.em.nativeDelete(SecurityGroup, own)
    await this.#unit.em.nativeUpdate(VmTemplate, { ...own, goneAt: null }, { goneAt: raw('now()') })
    tenant.goneAt = raw('now()')
  }

  /** Returns the tenant without a lock, for callers that only check that it exists. */
  findBySlug(slug: string): Promise<Tenant | null> {
    return this.#unit.em.findOne(Tenant, { slug, goneAt: null })
  }

  async slugTaken(slug: string): Promise<boolean> {
    return (await this.#unit.em.count(Tenant, { slug, goneAt: null })) > 0
  }
}

/** Reads tenants as clients see them. */
export class TenantReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  find(id: string): Promise<TenantView | null> {
    if (!isId(id)) return Promise.resolve(null)
    return one(
      this.#reader,
      statement('tenant.find', (db) => views(db).where('id', '=', slot<string>('id'))),
      { id },
    )
  }

  findBySlug(slug: string): Promise<TenantView | null> {
    return one(
      this.#reader,
      statement('tenant.findBySlug', (db) => views(db).where('slug', '=', slot<string>('slug'))),
      { slug },
    )
  }

  /** Lists tenants. Fields that are not selected may be missing, because they are not read. */
  list(
    page: PageRequest,
    query: TenantQuery,
    selected: ReadonlySet<string> | null = null,
  ): Promise<Page<TenantView>> {
    const { direction } = query
    const keys = sortKeys[query.sort]
    const from = isLean(selected) ? leanViews : views
    return readPage(this.#reader, page, {
      shape: `tenant.list ${shapeOf(query)} ${query.sort} ${isLean(selected)}`,
      keys,
      direction,
      args: argsOf(query),
      tenantColumn: null,
      rows: (db) => matching(from(db), query),
    })
  }

  async count(query: TenantQuery): Promise<number> {
    const counted = statement(`tenant.count ${shapeOf(query)}`, (db) =>
      matching(db.selectFrom('tenant').where('gone_at', 'is', null), query).select(countAll),
    )
    return (await only(this.#reader, counted, argsOf(query))).total
  }
}

const id: SortKey<TenantView> = { sql: sql.ref('id'), type: 'uuid', of: (row) => row.id }
const name: SortKey<TenantView> = { sql: sql.ref('name'), type: 'text', of: (row) => row.name }
const createdAt: SortKey<TenantView> = {
  sql: sql.ref('created_at'),
  type: 'timestamptz',
  of: (row) => row.createdAt,
}
// Scripts of existing clients expect the default tenant first.
const defaultFirst: SortKey<TenantView> = {
  sql: sql`(slug <> 'default')`,
  type: 'boolean',
  of: (row) => row.slug !== 'default',
}

const sortKeys: Record<TenantQuery['sort'], readonly SortKey<TenantView>[]> = {
  default: [defaultFirst, name, id],
  name: [name, id],
  createdAt: [createdAt, id],
}

const columns = {
  id: 'id',
  name: 'name',
  slug: 'slug',
  namespace: 'namespace',
  description: 'description',
  state: 'state',
  version: 'version',
  stateReason: 'state_reason as stateReason',
  externalUuid: 'external_uuid as externalUuid',
  importSource: 'import_source as importSource',
  createdAt: 'created_at as createdAt',
  updatedAt: 'updated_at as updatedAt',
} as const

const shown = Object.values(columns)

// There are only two shapes: each is a prepared statement on every connection, and clients choose
// the fields.
const {
  description: _description,
  version: _version,
  stateReason: _reason,
  updatedAt: _updatedAt,
  ...lean
} = columns
const leanFields: ReadonlySet<string> = new Set(Object.keys(lean))

/** True when the fields of the older API are enough. */
const isLean = (selected: ReadonlySet<string> | null): boolean =>
  selected !== null && selected.isSubsetOf(leanFields)

const views = (db: Kysely<Tables>) =>
  db.selectFrom('tenant').where('gone_at', 'is', null).select(shown)

// The type lists all columns, although some are not read. No caller uses a field that it did not
// select.
const leanViews = (db: Kysely<Tables>) =>
  db
    .selectFrom('tenant')
    .where('gone_at', 'is', null)
    .select(Object.values<(typeof shown)[number]>(lean))

const insertTenant = insertInto('tenant', (row) => row.returning(shown))

function matching<Query extends Filterable<Query>>(
  query: Query,
  { search, state }: TenantQuery,
): Query {
  const searched = whereIf(Boolean(search), query, contains('name', 'slug'))
  return whereIf(Boolean(state), searched, sql<boolean>`state = ${slot('state')}`)
}

const shapeOf = ({ search, state }: TenantQuery): string =>
  `${search ? 's' : ''}${state ? 't' : ''}`

const argsOf = ({ search, state }: TenantQuery): Record<string, unknown> => ({
  search: searchPattern(search),
  state,
})
