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

export class TenantQuotaStore {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  /** Null where the platform's own limits hold. */
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
    return one(this.#reader, limits, { tenantId })
  }

  /**
   * Until the unit ends nobody else takes a share of the tenant; what names the tenant in a row of
   * its own may go on.
   */
  async lock(tenantId: string): Promise<void> {
    const locked = statement('quota.lock', (db) =>
      db
        .selectFrom('tenant')
        .select('id')
        .where('id', '=', slot<string>('tenantId'))
        .forNoKeyUpdate(),
    )
    if ((await one(this.#reader, locked, { tenantId })) === null) throw notFound('tenant', tenantId)
  }

  async set(tenantId: string, limits: QuotaLimits): Promise<void> {
    const setting = statement('quota.set', (db) => {
      // Object.fromEntries gives strings; the keys are all columns.
      const columns = Object.fromEntries(
        quotaResources.map((resource) => [quotaColumn(resource), slot(resource)]),
      ) as Record<QuotaColumn, RawBuilder<number | null>>
      return db
        .insertInto('tenant_quota')
        .values({ tenant_id: slot<string>('tenantId'), ...columns })
        .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(columns))
    })
    await this.#reader.all(setting, { tenantId, ...limits })
  }
}

export class TenantQuotaReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  /**
   * The limits of each of these tenants and what it has; `defaults` are the limits of tenants that
   * have none of their own.
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
  /** Null where the platform's own limits hold. */
  own: QuotaLimits | null
}

const counted = () =>
  statement('quota.counted', (db) => db.selectFrom(shares.as('share')).selectAll())

const plain = (table: string): string =>
  `(select count(*) from ${table} where tenant_id = asked.id and gone_at is null)`

/** How much of each a tenant has. */
const shareOf: Readonly<Record<QuotaResource, string>> = {
  vms: 'machines.vms',
  vcpus: 'machines.vcpus',
  memoryMi: 'machines.memory_mi',
  storageGi: '(machines.storage_gi + isos.storage_gi + volumes.storage_gi)',
  volumes: 'volumes.total',
  snapshots: 'snapshots.total',
  vpcs: plain('vpc'),
  networks: plain('network'),
  publicAddresses: `(select count(*) from nic where tenant_id = asked.id and kind = 'public' and free_at is null)`,
}

const own = sql.raw(
  quotaResources.map((resource) => `'${resource}', quota.${quotaColumn(resource)}`).join(', '),
)
const used = sql.raw(
  quotaResources.map((resource) => `${shareOf[resource]}::float8 as "${resource}"`).join(', '),
)

/**
 * What is on its way out counts until it is gone, what failed to be imported or made does not:
 * nothing is left of that.
 */
const shares = sql<Counted>`(
select asked.id as "tenantId",
       case when quota.tenant_id is not null then json_build_object(${own}) end as own,
       ${used}
  from unnest(${slot('tenantIds')}::uuid[]) as asked (id)
  left join tenant_quota quota on quota.tenant_id = asked.id,
  lateral (
    select count(*) as vms, coalesce(sum(cpu), 0) as vcpus, coalesce(sum(memory_mi), 0) as memory_mi,
           coalesce(sum(case root_disk when 'persistent' then boot_disk_size_gi else 0 end
             + case when iso_inserted or iso_uid is not null then iso_size_gi else 0 end), 0) as storage_gi
      from vm where tenant_id = asked.id and gone_at is null
  ) machines,
  lateral (
    select coalesce(sum(iso_size_gi), 0) as storage_gi
      from vm_template
     where tenant_id = asked.id and gone_at is null and import_generation > 0
       and (import_seen_generation < import_generation or import_state <> 'failed')
  ) isos,
  lateral (
    select count(*) as total, coalesce(sum(size_gi), 0) as storage_gi
      from volume where tenant_id = asked.id and gone_at is null and failed_at is null
  ) volumes,
  lateral (
    select count(*) as total from (
      select from volume_snapshot where tenant_id = asked.id and gone_at is null and failed_at is null
       union all select from vm_snapshot where tenant_id = asked.id and gone_at is null and failed_at is null) both_kinds
  ) snapshots)`
