import { sql } from 'kysely'
import { notFound } from '../../engine/model/fault.ts'
import {
  type QuotaLimits,
  type QuotaLine,
  type QuotaResource,
  type QuotaShare,
  quotaLines,
} from '../../domain/tenant/quota.ts'
import { type Reader, one } from '../../engine/database/sql/reader.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'

const most = (resource: QuotaResource) => slot<number | null>(resource)

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
        .select([
          'vms',
          'vcpus',
          'memory_mi as memoryMi',
          'storage_gi as storageGi',
          'volumes',
          'snapshots',
          'vpcs',
          'networks',
          'public_addresses as publicAddresses',
        ])
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
      const columns = {
        vms: most('vms'),
        vcpus: most('vcpus'),
        memory_mi: most('memoryMi'),
        storage_gi: most('storageGi'),
        volumes: most('volumes'),
        snapshots: most('snapshots'),
        vpcs: most('vpcs'),
        networks: most('networks'),
        public_addresses: most('publicAddresses'),
      }
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

/**
 * What is on its way out counts until it is gone, what failed to be imported or made does not:
 * nothing is left of that.
 */
const shares = sql<Counted>`(
select asked.id as "tenantId",
       case when quota.tenant_id is not null then json_build_object(
         'vms', quota.vms, 'vcpus', quota.vcpus, 'memoryMi', quota.memory_mi, 'storageGi', quota.storage_gi,
         'volumes', quota.volumes, 'snapshots', quota.snapshots, 'vpcs', quota.vpcs, 'networks', quota.networks,
         'publicAddresses', quota.public_addresses) end as own,
       machines.vms::float8 as vms, machines.vcpus::float8 as vcpus, machines.memory_mi::float8 as "memoryMi",
       (machines.storage_gi + isos.storage_gi + volumes.storage_gi)::float8 as "storageGi",
       volumes.total::float8 as volumes, snapshots.total::float8 as snapshots, vpcs.total::float8 as vpcs, networks.total::float8 as networks,
       public_nics.total::float8 as "publicAddresses"
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
  ) snapshots,
  lateral (select count(*) as total from vpc where tenant_id = asked.id and gone_at is null) vpcs,
  lateral (select count(*) as total from network where tenant_id = asked.id and gone_at is null) networks,
  lateral (select count(*) as total from nic where tenant_id = asked.id and kind = 'public' and free_at is null) public_nics)`
