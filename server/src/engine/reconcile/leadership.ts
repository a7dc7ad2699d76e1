import { type ClientBase, type Pool } from 'pg'
import { type SqlClient, inTransaction } from '../database/sql/sql-client.ts'

/** The time for which one replica leads. The epoch grows each time a lease is acquired. */
export interface Term {
  readonly name: string
  readonly holder: string
  readonly epoch: string
}

/** Another replica leads. Stop and write nothing more. */
export class LeadershipLost extends Error {
  constructor({ name, holder, epoch }: Term) {
    super(`${holder} no longer leads ${name} (epoch ${epoch})`)
    this.name = 'LeadershipLost'
  }
}

/**
 * Leases, timed by the database, that make one replica the leader of a task. A replica may still
 * believe to lead when its lease has expired. That is harmless, because each of its writes checks
 * the epoch. An advisory lock was ruled out: it has no epoch, and a half-open connection keeps it.
 */
export interface Leadership {
  /** Acquires a free or expired lease. Returns null while the lease is held. */
  acquire(name: string, holder: string): Promise<Term | null>
  /** Renews the lease. Returns false when it is lost. */
  extend(term: Term): Promise<boolean>
  /** Releases the lease for the next replica. */
  resign(term: Term): Promise<void>
  /** The fence: the first statement of every transaction that writes as the leader. */
  assertLeads(client: SqlClient, term: Term): Promise<void>
  /** Runs a transaction that begins with the fence. */
  asLeader<T>(term: Term, work: (client: ClientBase) => Promise<T>): Promise<T>
}

interface LeadershipParts {
  readonly pool: Pool
  readonly termMs?: number
  /** Called when a write of a former leader was refused. */
  readonly onRefused?: (term: Term) => void
}

const acquiring = `
insert into leadership as lease (name, holder, epoch, expires_at)
values ($1, $2, 1, clock_timestamp() + $3 * interval '1 ms')
on conflict (name) do update
   set holder = excluded.holder, expires_at = excluded.expires_at, epoch = lease.epoch + 1
 where lease.expires_at <= clock_timestamp()
returning name, holder, epoch`

const held = 'name = $1 and holder = $2 and epoch = $3 and expires_at > clock_timestamp()'

const extending = `update leadership set expires_at = clock_timestamp() + $4 * interval '1 ms' where ${held}`

/**
 * The share lock keeps another replica from acquiring the lease before the transaction ends. A key
 * share lock would not, because acquiring a lease updates no key column.
 */
const fence = `select from leadership where ${held} for share`

const resigning = `update leadership set expires_at = clock_timestamp() where ${held}`

export function openLeadership({
  pool,
  termMs = 10_000,
  onRefused = () => undefined,
}: LeadershipParts): Leadership {
  const assertLeads = async (client: SqlClient, term: Term): Promise<void> => {
    const { rowCount } = await client.query(fence, [term.name, term.holder, term.epoch])
    if (rowCount === 1) return
    onRefused(term)
    throw new LeadershipLost(term)
  }
  return {
    async acquire(name, holder) {
      const { rows } = await pool.query<Term>(acquiring, [name, holder, termMs])
      return rows[0] ?? null
    },
    async extend({ name, holder, epoch }) {
      const { rowCount } = await pool.query(extending, [name, holder, epoch, termMs])
      return rowCount === 1
    },
    async resign({ name, holder, epoch }) {
      await pool.query(resigning, [name, holder, epoch])
    },
    assertLeads,
    asLeader: (term, work) =>
      inTransaction(pool, async (client) => {
        await assertLeads(client, term)
        return work(client)
      }),
  }
}
