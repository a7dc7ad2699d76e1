import {
  byCreation,
  byNameOrAge,
  byText,
  idKey,
  listReads,
  nameKey,
} from '../../engine/database/sql/list-reads.ts'
import { UnitStore } from '../../engine/database/unit-store.ts'
import { raw } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { type TakenName } from '../../engine/database/sql/is-named.ts'
import { type TenantState, type TenantView } from '../../domain/tenant/tenant.ts'
import { newId } from '../../runtime/ids.ts'
import { Tenant } from './tenant-entity.ts'
import { type Direction, type SortKey } from '../../engine/database/sql/page.ts'
import { insertInto } from '../../engine/database/sql/insert-into.ts'
import { one } from '../../engine/database/sql/reader.ts'
import { contains, countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type Message } from '../../engine/model/message.ts'

export interface TenantQuery {
  search?: string | null
  createdAfter?: string | null
  state?: TenantState | null
  sort: 'default' | 'name' | 'createdAt'
  direction: Direction
}

/** Writes tenants in the transaction of a unit of work. */
export class TenantStore extends UnitStore {
  async insert(
    values: Pick<TenantView, 'name' | 'slug' | 'namespace' | 'description'>,
  ): Promise<TenantView> {
    return insertTenant(this.reader, { id: newId(), ...values })
  }

  /**
   * Returns the tenant, locked until the unit ends, so that two changes of it follow each other.
   */
  get(id: string): Promise<Tenant> {
    return this.lockById(Tenant, { id, goneAt: null }, 'tenant')
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
    return this.lockRow(Tenant, { id })
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

  /** Marks the tenant as gone. The row stays as a record. */
  markGone(tenant: Tenant): void {
    tenant.goneAt = raw('now()')
  }

  /** Returns the tenant without a lock, for callers that only check that it exists. */
  findBySlug(slug: string): Promise<Tenant | null> {
    return this.unit.em.findOne(Tenant, { slug, goneAt: null })
  }

  async takenSlug(slug: string): Promise<TakenName | null> {
    const tenant = await this.findBySlug(slug)
    return tenant && { transient: Boolean(tenant.deleteRequestedAt) }
  }
}

/** Reads tenants as clients see them. */
export class TenantReads extends listReads<'tenant', TenantView, TenantQuery>({
  stem: 'tenant',
  tenantColumn: null,
  // There are only two shapes: each is a prepared statement on every connection, and clients choose
  // the fields.
  groupsFor: (selected) => (selected?.isSubsetOf(leanFields) ? [] : ['detail']),
  // The type lists all columns, although some are not read. No caller uses a field that it did not
  // select.
  rows: (db, [detail]) =>
    db.selectFrom('tenant').select<(typeof shown)[number]>(detail ? shown : lean),
  counted: (db) => db.selectFrom('tenant').select(countAll),
  keepsGone: true,
  found: contains('name', 'slug'),
  narrowedBy: { ...byCreation, state: byText(sql.ref('state'), 'state') },
  // Scripts of existing clients expect the default tenant first.
  sortedBy: ({ sort, ...query }) =>
    sort === 'default' ? [defaultFirst, nameKey, idKey] : byNameOrAge({ ...query, sort }),
}) {
  findBySlug(slug: string): Promise<TenantView | null> {
    return one(
      this.reader,
      statement('tenant.findBySlug', (db) =>
        db
          .selectFrom('tenant')
          .where('gone_at', 'is', null)
          .select(shown)
          .where('slug', '=', slot<string>('slug')),
      ),
      { slug },
    )
  }
}

const defaultFirst: SortKey<TenantView> = {
  sql: sql`(slug <> 'default')`,
  type: 'boolean',
  of: (row) => row.slug !== 'default',
}

const lean = [
  'id',
  'name',
  'slug',
  'namespace',
  'state',
  'external_uuid as externalUuid',
  'import_source as importSource',
  'created_at as createdAt',
] as const

const shown = [
  ...lean,
  'description',
  'version',
  'state_reason as stateReason',
  'requires_second_factor as requiresSecondFactor',
  'updated_at as updatedAt',
] as const

const leanFields: ReadonlySet<string> = new Set(lean.map((column) => column.replace(/.* as /, '')))

const insertTenant = insertInto('tenant', (row) => row.returning(shown))
