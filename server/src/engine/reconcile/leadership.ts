import { type ClientBase, type Pool } from 'pg'
import { type SqlClient, inTransaction } from '../database/sql/sql-client.ts'

/** One holder's time in an office. The epoch grows with each change of holder. */
export interface Term {
  readonly name: string
  readonly holder: string
  readonly epoch: string
}

/** Somebody else leads: stop and change nothing more. */
export class LeadershipLost extends Error {
  constructor({ name, holder, epoch }: Term) {
    super(`${holder} does not lead ${name} any more (epoch ${epoch})`)
    this.name = 'LeadershipLost'
  }
}

/**
 * Offices that one replica holds at a time, on the database's clock. Two leaders for a moment are
 * possible and harmless, because each write of a leader is fenced by its epoch. An advisory lock
 * was ruled out: it has no token, and it outlives a half-open connection.
 */
export interface Leadership {
  /** Takes a free or lapsed office; null when somebody has it. */
  lead(name: string, holder: string): Promise<Term | null>
  /** Keeps the office for another term; false when it is lost. */
  extend(term: Term): Promise<boolean>
  /** Leaves the office to whoever asks next. */
  resign(term: Term): Promise<void>
  /** The fence: first statement of every transaction that writes as the leader. */
  assertLeads(client: SqlClient, term: Term): Promise<void>
  /** A transaction that begins with the fence. */
  asLeader<T>(term: Term, work: (client: ClientBase) => Promise<T>): Promise<T>
}

interface LeadershipParts {
  readonly pool: Pool
  readonly termMs?: number
  readonly onFenced?: (term: Term) => void
}

const taking = `
insert into leadership as office (name, holder, epoch, expires_at)
values ($1, $2, 1, clock_timestamp() + $3 * interval '1 ms')
on conflict (name) do update
   set holder = excluded.holder, expires_at = excluded.expires_at, epoch = office.epoch + 1
 where office.expires_at <= clock_timestamp()
returning name, holder, epoch`

const held = 'name = $1 and holder = $2 and epoch = $3 and expires_at > clock_timestamp()'

// A share lock, for taking an office updates no key column; the office cannot change hands inside
// the transaction.
const extending = `update leadership set expires_at = clock_timestamp() + $4 * interval '1 ms' where ${held}`

const fence = `select from leadership where ${held} for share`

const resigning = `update leadership set expires_at = clock_timestamp() where ${held}`

export function openLeadership({
  pool,
  termMs = 10_000,
  onFenced = () => undefined,
}: LeadershipParts): Leadership {
  const assertLeads = async (client: SqlClient, term: Term): Promise<void> => {
    const { rowCount } = await client.query(fence, [term.name, term.holder, term.epoch])
    if (rowCount === 1) return
    onFenced(term)
    throw new LeadershipLost(term)
  }
  return {
    async lead(name, holder) {
      const { rows } = await pool.query<Term>(taking, [name, holder, termMs])
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
