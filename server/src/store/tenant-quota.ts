import { sql } from 'kysely'
import { notFound } from '../domain/fault.ts'
import { type QuotaLimits, type QuotaLine, quotaLines } from '../domain/tenant/quota.ts'
import { type Reader, one } from './reader.ts'
import { slot, statement } from './statement.ts'

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
        .select(['vms', 'vcpus', 'memory_mi as memoryMi', 'storage_gi as storageGi'])
        .where('tenant_id', '=', slot<string>('tenantId')),
    )
    return one(this.#reader, limits, { tenantId })
  }

  /** Until the unit ends nobody else takes a share of the tenant; what names the tenant in a row of its own may go on. */
  async lock(tenantId: string): Promise<void> {
    const locked = statement('quota.lock', (db) =>
      db.selectFrom('tenant').select('id').where('id', '=', slot<string>('tenantId')).forNoKeyUpdate(),
    )
    if ((await one(this.#reader, locked, { tenantId })) === null) throw notFound('tenant', tenantId)
  }

  async set(tenantId: string, limits: QuotaLimits): Promise<void> {
    const setting = statement('quota.set', (db) => {
      const columns = {
        vms: slot<number | null>('vms'),
        vcpus: slot<number | null>('vcpus'),
        memory_mi: slot<number | null>('memoryMi'),
        storage_gi: slot<number | null>('storageGi'),
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

  /** The limits of each of these tenants and what it has; `defaults` are the limits of tenants that have none of their own. */
  async linesOf(tenantIds: readonly string[], defaults: QuotaLimits): Promise<ReadonlyMap<string, QuotaLine[]>> {
    const rows = await this.#reader.all(counted(), { tenantIds })
    return new Map(
      rows.map(({ tenantId, isOwn, vmLimit, vcpuLimit, memoryLimit, storageLimit, ...used }) => {
        const own = { vms: vmLimit, vcpus: vcpuLimit, memoryMi: memoryLimit, storageGi: storageLimit }
        return [tenantId, quotaLines(isOwn ? own : defaults, used)]
      }),
    )
  }
}

interface Counted {
  tenantId: string
  isOwn: boolean
  vmLimit: number | null
  vcpuLimit: number | null
  memoryLimit: number | null
  storageLimit: number | null
  vms: number
  vcpus: number
  memoryMi: number
  storageGi: number
}

const counted = () => statement('quota.counted', (db) => db.selectFrom(shares.as('share')).selectAll())

/** What is on its way out counts until it is gone, what failed to be imported does not: nothing is left of that. */
const shares = sql<Counted>`(
select asked.id as "tenantId", quota.tenant_id is not null as "isOwn",
       quota.vms as "vmLimit", quota.vcpus as "vcpuLimit", quota.memory_mi as "memoryLimit", quota.storage_gi as "storageLimit",
       machines.vms::float8 as vms, machines.vcpus::float8 as vcpus, machines.memory_mi::float8 as "memoryMi",
       (machines.storage_gi + isos.storage_gi)::float8 as "storageGi"
  from unnest(${slot('tenantIds')}::uuid[]) as asked (id)
  left join tenant_quota quota on quota.tenant_id = asked.id,
  lateral (
    select count(*) as vms, coalesce(sum(cpu), 0) as vcpus, coalesce(sum(memory_mi), 0) as memory_mi,
           coalesce(sum(case root_disk when 'persistent' then boot_disk_size_gi else 0 end + coalesce(iso_size_gi, 0)), 0) as storage_gi
      from vm where tenant_id = asked.id and gone_at is null
  ) machines,
  lateral (
    select coalesce(sum(iso_size_gi), 0) as storage_gi
      from vm_template
     where tenant_id = asked.id and gone_at is null and import_generation > 0
       and (import_seen_generation < import_generation or import_state <> 'failed')
  ) isos)`
