import { sql } from 'kysely'
import {
  type ClusterCapacityView,
  type FoundCapacity,
  type HostCapacity,
} from '../../domain/cluster-capacity/cluster-capacity.ts'
import { type VmState } from '../../domain/vm/state.ts'
import { type Reader, only } from '../../engine/database/sql/reader.ts'
import { type SqlClient } from '../../engine/database/sql/sql-client.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'

/** Who holds it looks at the hosts; when nobody does, what is known of them grows old. */
export const capacityOffice = 'cluster capacity'

export class ClusterCapacityReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  async read(): Promise<ClusterCapacityView> {
    const { vms, vcpus, memoryMi, hosts, gap, asOf } = await only(this.#reader, counted(), {
      idle,
      office: capacityOffice,
    })
    const promised = { vms, vcpus, memoryMi }
    return hosts
      ? { hosts, gap: null, asOf, promised }
      : { hosts: null, gap: gap ?? 'not_told', asOf, promised }
  }
}

/** Writes nothing where that is what is known already. */
export async function recordCapacity(
  client: SqlClient,
  { hosts, gap }: FoundCapacity,
): Promise<void> {
  await client.query(recording, [hosts && JSON.stringify(hosts), gap])
}

/** What is known stays, as of so long ago. */
export async function recordSilence(client: SqlClient, silentMs: number): Promise<void> {
  await client.query(fallingSilent, [silentMs])
}

interface Counted {
  vms: number
  vcpus: number
  memoryMi: number
  hosts: HostCapacity | null
  gap: FoundCapacity['gap']
  asOf: string | null
}

/** Nothing of them is on a host, nor will be unless somebody asks. */
const idle: readonly VmState[] = ['Stopped', 'Lost']

const counted = () =>
  statement('capacity.counted', (db) => db.selectFrom(capacity.as('capacity')).selectAll())

// Another replica takes the office within seconds of a crash, so a minute without anybody is no
// change of holders.
const capacity = sql<Counted>`(
select promised.vms, promised.vcpus, promised."memoryMi", known.hosts, known.gap,
       least(known.silent_since, case when office.expires_at < clock_timestamp() - interval '1 minute' then office.expires_at end) as "asOf"
  from (
    select count(*)::int as vms, coalesce(sum(cpu), 0)::float8 as vcpus, coalesce(sum(memory_mi), 0)::float8 as "memoryMi"
      from vm
     where gone_at is null and state <> all(${slot('idle')}::text[])
       and (run_uid is not null or (wanted_power = 'on' and delete_requested_at is null and failed_at is null))
  ) promised
  left join cluster_capacity known on true
  left join leadership office on office.name = ${slot('office')}::text)`

const recording = `
insert into cluster_capacity as known (hosts, gap) values ($1::jsonb, $2)
on conflict (id) do update set hosts = excluded.hosts, gap = excluded.gap, silent_since = null
 where (known.hosts, known.gap, known.silent_since) is distinct from (excluded.hosts, excluded.gap, null::timestamptz)`

const fallingSilent = `
update cluster_capacity set silent_since = clock_timestamp() - $1 * interval '1 ms' where silent_since is null`
