import { sql } from 'kysely'
import {
  type ClusterCapacityView,
  type ObservedCapacity,
  type HostCapacity,
} from '../../domain/cluster-capacity/cluster-capacity.ts'
import { type VmState } from '../../domain/vm/state.ts'
import { type Reader, only } from '../../engine/database/sql/reader.ts'
import { type SqlClient } from '../../engine/database/sql/sql-client.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'

/**
 * The lease of the process that reads the nodes. Without a holder the recorded capacity becomes
 * stale.
 */
export const capacityLease = 'cluster capacity'

export class ClusterCapacityReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  async read(): Promise<ClusterCapacityView> {
    const { vms, vcpus, memoryMi, hosts, gap, asOf } = await only(this.#reader, counted(), {
      idle,
      lease: capacityLease,
    })
    const promised = { vms, vcpus, memoryMi }
    return hosts
      ? { hosts, gap: null, asOf, promised }
      : { hosts: null, gap: gap ?? 'not_told', asOf, promised }
  }
}

/** Records the capacity. Writes nothing when it is unchanged. */
export async function recordCapacity(
  client: SqlClient,
  { hosts, gap }: ObservedCapacity,
): Promise<void> {
  await client.query(recording, [hosts && JSON.stringify(hosts), gap])
}

/** Records since when the cluster has not answered. The last known capacity stays. */
export async function recordSilence(client: SqlClient, silentMs: number): Promise<void> {
  await client.query(fallingSilent, [silentMs])
}

interface Counted {
  vms: number
  vcpus: number
  memoryMi: number
  hosts: HostCapacity | null
  gap: ObservedCapacity['gap']
  asOf: string | null
}

/** VMs in these states use no node until a user starts them. */
const idle: readonly VmState[] = ['Stopped', 'Lost']

const counted = () =>
  statement('capacity.counted', (db) => db.selectFrom(capacity.as('capacity')).selectAll())

// Another replica takes the lease within seconds of a crash. A minute without a holder means that
// no replica reads the nodes.
const capacity = sql<Counted>`(
select allocated.vms, allocated.vcpus, allocated."memoryMi", known.hosts, known.gap,
       least(known.silent_since, case when lease.expires_at < clock_timestamp() - interval '1 minute' then lease.expires_at end) as "asOf"
  from (
    select count(*)::int as vms, coalesce(sum(cpu), 0)::float8 as vcpus, coalesce(sum(memory_mi), 0)::float8 as "memoryMi"
      from vm
     where gone_at is null and state <> all(${slot('idle')}::text[])
       and (vmi_uid is not null or (wanted_power = 'on' and delete_requested_at is null and failed_at is null))
  ) allocated
  left join cluster_capacity known on true
  left join leadership lease on lease.name = ${slot('lease')}::text)`

const recording = `
insert into cluster_capacity as known (hosts, gap) values ($1::jsonb, $2)
on conflict (id) do update set hosts = excluded.hosts, gap = excluded.gap, silent_since = null
 where (known.hosts, known.gap, known.silent_since) is distinct from (excluded.hosts, excluded.gap, null::timestamptz)`

const fallingSilent = `
update cluster_capacity set silent_since = clock_timestamp() - $1 * interval '1 ms' where silent_since is null`
