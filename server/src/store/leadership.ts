import { type SqlClient } from './sql-client.ts'

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
 * Offices that one replica holds at a time, on the database's clock. Two leaders for a moment are possible and harmless,
 * because each write of a leader is fenced by its epoch. An advisory lock was ruled out: it has no token, and it outlives
 * a half-open connection.
 */
export interface Leadership {
  /** Takes a free or lapsed office, or extends the holder's own; null when somebody else has it. */
  lead(name: string, holder: string): Promise<Term | null>
  /** Leaves the office to whoever asks next. */
  resign(term: Term): Promise<void>
  /** The fence: first statement of every transaction that writes as the leader. */
  assertLeads(client: SqlClient, term: Term): Promise<void>
}

interface LeadershipParts {
  readonly pool: SqlClient
  readonly termMs?: number
  readonly onFenced?: (term: Term) => void
}

const taking = `
insert into leadership as office (name, holder, epoch, expires_at)
values ($1, $2, 1, clock_timestamp() + $3 * interval '1 ms')
on conflict (name) do update
   set holder = excluded.holder,
       expires_at = excluded.expires_at,
       epoch = office.epoch + case when office.holder = excluded.holder and office.expires_at > clock_timestamp() then 0 else 1 end
 where office.holder = excluded.holder or office.expires_at <= clock_timestamp()
returning name, holder, epoch`

const held = 'name = $1 and holder = $2 and epoch = $3 and expires_at > clock_timestamp()'

// A share lock, for taking an office updates no key column; the office cannot change hands inside the transaction.
const fence = `select from leadership where ${held} for share`

const resigning = `update leadership set expires_at = clock_timestamp() where ${held}`

export function openLeadership({ pool, termMs = 10_000, onFenced = () => undefined }: LeadershipParts): Leadership {
  return {
    async lead(name, holder) {
      const { rows } = await pool.query<Term>(taking, [name, holder, termMs])
      return rows[0] ?? null
    },
    async resign({ name, holder, epoch }) {
      await pool.query(resigning, [name, holder, epoch])
    },
    async assertLeads(client, term) {
      const { rowCount } = await client.query(fence, [term.name, term.holder, term.epoch])
      if (rowCount === 1) return
      onFenced(term)
      throw new LeadershipLost(term)
    },
  }
}
