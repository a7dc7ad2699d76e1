import { UnitStore } from '../../engine/database/unit-store.ts'
import { type RawBuilder, sql } from 'kysely'
import { notFound } from '../../engine/model/fault.ts'
import {
  type QuotaLimits,
  type QuotaLine,
  type QuotaResource,
  type QuotaShare,
  quotaLines,
  quotaResources,
} from '../../domain/tenant/quota.ts'
import { type Reader, one } from '../../engine/database/sql/reader.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type QuotaColumn, quotaColumn } from './tenant-quota-entity.ts'

/** Reads and sets the limits of a tenant in the transaction of a unit of work. */
export class TenantQuotaStore extends UnitStore {
  /** Returns the tenant's own limits; null when the platform's limits hold. */
  limitsOf(tenantId: string): Promise<QuotaLimits | null> {
    const limits = statement('quota.limits', (db) =>
      db
        .selectFrom('tenant_quota')
        .select(
          quotaResources.map((resource) =>
            sql<number | null>`${sql.ref(quotaColumn(resource))}`.as(resource),
          ),
        )
        .where('tenant_id', '=', slot<string>('tenantId')),
    )
    return one(this.reader, limits, { tenantId })
  }

  /**
   * Locks the tenant until the unit ends, so that no other unit uses its quota. Inserts of rows
   * that refer to the tenant can go on.
   */
  async lock(tenantId: string): Promise<void> {
    const locked = statement('quota.lock', (db) =>
      db
        .selectFrom('tenant')
        .select('id')
        .where('id', '=', slot<string>('tenantId'))
        .forNoKeyUpdate(),
    )
    if ((await one(this.reader, locked, { tenantId })) === null) throw notFound('tenant', tenantId)
  }

  async set(tenantId: string, limits: QuotaLimits): Promise<void> {
    const setting = statement('quota.set', (db) => {
      // `Object.fromEntries` returns string keys; all of them are columns.
      const columns = Object.fromEntries(
        quotaResources.map((resource) => [quotaColumn(resource), slot(resource)]),
      ) as Record<QuotaColumn, RawBuilder<number | null>>
      return db
        .insertInto('tenant_quota')
        .values({ tenant_id: slot<string>('tenantId'), ...columns })
        .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(columns))
    })
    await this.reader.all(setting, { tenantId, ...limits })
  }
}

/** Reads the limits of tenants, and counts what they use. */
export class TenantQuotaReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  /**
   * Returns the limits and the usage of each tenant. `defaults` are the limits of tenants without
   * own ones.
   */
  async linesOf(
    tenantIds: readonly string[],
    defaults: QuotaLimits,
  ): Promise<ReadonlyMap<string, QuotaLine[]>> {
    const rows = await this.#reader.all(counted(), { tenantIds })
    return new Map(
      rows.map(({ tenantId, own, ...used }) => [tenantId, quotaLines(own ?? defaults, used)]),
    )
  }
}

interface Counted extends QuotaShare {
  tenantId: string
  /** The tenant's own limits; null when the platform's limits hold. */
  own: QuotaLimits | null
}

const counted = () =>
  statement('quota.counted', (db) => db.selectFrom(shares.as('share')).selectAll())

const plain = (table: string): string =>
  `(select count(*) from ${table} where tenant_id = requested.id and gone_at is null)`

/** A tenant's usage of each resource in SQL. */
const shareOf: Readonly<Record<QuotaResource, string>> = {
  vms: 'vm_totals.vms',
  vcpus: 'vm_totals.vcpus',
  memoryMi: 'vm_totals.memory_mi',
  storageGi: '(vm_totals.storage_gi + isos.storage_gi + volumes.storage_gi)',
  volumes: 'volumes.total',
  snapshots: 'snapshots.total',
  vpcs: plain('vpc'),
  networks: plain('network'),
  publicAddresses: `(select count(*) from nic where tenant_id = requested.id and kind = 'public' and free_at is null)`,
}

const own = sql.raw(
  quotaResources.map((resource) => `'${resource}', quota.${quotaColumn(resource)}`).join(', '),
)
const used = sql.raw(
  quotaResources.map((resource) => `${shareOf[resource]}::float8 as "${resource}"`).join(', '),
)

/**
 * Objects count until they are gone. Failed imports and failed creations do not count, because
 * nothing is left of them.
 */
const shares = sql<Counted>`(
select requested.id as "tenantId",
       case when quota.tenant_id is not null then json_build_object(${own}) end as own,
       ${used}
  from unnest(${slot('tenantIds')}::uuid[]) as requested (id)
  left join tenant_quota quota on quota.tenant_id = requested.id,
  lateral (
    select count(*) as vms, coalesce(sum(cpu), 0) as vcpus, coalesce(sum(memory_mi), 0) as memory_mi,
           coalesce(sum(case root_disk when 'persistent' then boot_disk_size_gi else 0 end
             + case when iso_inserted or iso_uid is not null then iso_size_gi else 0 end), 0) as storage_gi
      from vm where tenant_id = requested.id and gone_at is null
  ) vm_totals,
  lateral (
    select coalesce(sum(iso_size_gi), 0) as storage_gi
      from vm_template
     where tenant_id = requested.id and gone_at is null and import_generation > 0
       and (import_observed_generation < import_generation or import_state <> 'failed')
  ) isos,
  lateral (
    select count(*) as total, coalesce(sum(size_gi), 0) as storage_gi
      from volume where tenant_id = requested.id and gone_at is null and failed_at is null
  ) volumes,
  lateral (
    select count(*) as total from (
      select from volume_snapshot where tenant_id = requested.id and gone_at is null and failed_at is null
       union all select from vm_snapshot where tenant_id = requested.id and gone_at is null and failed_at is null) both_kinds
  ) snapshots)`
