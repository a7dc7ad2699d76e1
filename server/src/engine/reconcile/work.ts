import { type SqlClient } from '../database/sql/sql-client.ts'
import { type TenantTurn, type WaitingTenant, shareTurns } from './work-turns.ts'
import { type Lease, LeaseLost, fence } from './work-lease.ts'

/**
 * Keys that somebody must look at, each held by at most one effective worker. Claims, leases and
 * due times are read from the database's clock alone; a worker that was paused beyond its lease
 * finds that its epoch is old and changes nothing. Guarantee: at least one run per ring, no two
 * holders whose writes both count. Limit: the cluster cannot check an epoch, so what a run does out
 * there must be ensure-style.
 */
export interface Work {
  /** Up to `limit` keys of these kinds, tenants with the fewest running first. */
  claim(wanted: ClaimRequest): Promise<Claimed>
  /** Keeps the lease for another term; false when it is lost. */
  renew(lease: Lease): Promise<boolean>
  /**
   * Nothing went wrong. Deletes the key when there is nothing left to do and nobody rang meanwhile;
   * says whether it is due at once.
   */
  finish(lease: Lease, result: { again: null | { afterMs: number } }): Promise<boolean>
  /** The run failed: due again after the delay. */
  fail(lease: Lease, failure: Failure): Promise<void>
  /** Gives up: the key stays, visible with its error, until it is rung fresh. */
  poison(lease: Lease, error: string): Promise<void>
  /**
   * Hands the key back untouched (the worker stops): due at once, and the attempt does not count.
   */
  release(lease: Lease): Promise<void>
  /**
   * The fence for other writes: first statement of the transaction that writes on behalf of the
   * lease.
   */
  assertHeld(client: SqlClient, lease: Lease): Promise<void>
}

interface ClaimRequest {
  readonly kinds: readonly string[]
  readonly limit: number
  /** How many more a tenant may have now. */
  readonly roomOf?: (tenantId: string) => number
}

interface Claimed {
  readonly leases: Lease[]
  /** Others were due, and found no place. */
  readonly isMore: boolean
}

interface Failure {
  readonly error: string
  readonly delayMs: number
  /**
   * What the attempt counter becomes; a failure that is not the key's own fault need not bring it
   * nearer to its limit.
   */
  readonly attempts: number
}

export interface WorkParts {
  /** Sees all tenants: connects with `-c role=berth_app -c berth.scope=platform`. */
  readonly pool: SqlClient
  readonly owner: string
  readonly leaseMs?: number
  /** Counts the writes of lost leases that were turned away. */
  readonly onFenced?: (lease: Lease) => void
}

const turns = {
  name: 'berth_work_turns',
  text: `
select tenant_id as "tenantId",
       count(*) filter (where lease_until > statement_timestamp())::int as running,
       count(*) filter (where due_at <= statement_timestamp() and coalesce(lease_until, '-infinity') <= statement_timestamp())::int as waiting
  from work
 where poisoned_at is null and kind = any($1)
 group by tenant_id
having bool_or(due_at <= statement_timestamp() and coalesce(lease_until, '-infinity') <= statement_timestamp())
 order by 2, min(due_at)`,
}

// The attempt is counted here, before the run, so that a run that kills its process counts as well.
const claimOf = {
  name: 'berth_work_claim',
  text: `
update work
   set lease_owner = $1, lease_epoch = nextval('work_epoch'), attempts = attempts + 1,
       lease_until = clock_timestamp() + $2 * interval '1 ms'
 where (kind, object_id) in (
   select kind, object_id from work
    where tenant_id = $3 and poisoned_at is null and kind = any($4)
      and due_at <= statement_timestamp() and coalesce(lease_until, '-infinity') <= statement_timestamp()
    order by due_at limit $5
      for update skip locked)
returning kind, object_id as "objectId", tenant_id as "tenantId", lease_epoch as epoch, rung, attempts`,
}

const mine = 'kind = $1 and object_id = $2 and lease_epoch = $3'
const letGo = 'lease_owner = null, lease_until = null'

const renewal = `update work set lease_until = clock_timestamp() + $4 * interval '1 ms' where ${mine} and lease_until > clock_timestamp()`

const done = { name: 'berth_work_done', text: `delete from work where ${mine} and rung = $4` }

// Expressions of SET see the row as it is when its lock is got, so a ring that committed meanwhile
// counts.
const dueAgain = {
  name: 'berth_work_again',
  text: `
update work
   set ${letGo}, attempts = 0, last_error = null,
       due_at = clock_timestamp() + case when rung = $4 then $5::float8 else 0 end * interval '1 ms'
 where ${mine}
returning due_at <= clock_timestamp() as "isDue"`,
}

// A fresh ring during the run has set the attempts to zero: then neither the failure nor the limit
// counts.
const failing = `
update work
   set ${letGo}, attempts = least(attempts, $6), last_error = $4,
       due_at = clock_timestamp() + case when rung = $7 then $5::float8 else least($5::float8, attempts * 1000) end * interval '1 ms'
 where ${mine}`

const poisoning = `
update work
   set ${letGo}, last_error = $4, poisoned_at = case when attempts >= $5 then clock_timestamp() end
 where ${mine}`

const releasing = `update work set ${letGo}, due_at = clock_timestamp(), attempts = greatest(attempts - 1, 0) where ${mine}`

const longestError = 2_000

export function openWork({
  pool,
  owner,
  leaseMs = 10_000,
  onFenced = () => undefined,
}: WorkParts): Work {
  const write = async (lease: Lease, text: string, rest: unknown[] = []): Promise<boolean> => {
    const { rowCount } = await pool.query(text, [lease.kind, lease.objectId, lease.epoch, ...rest])
    if (rowCount !== 1) onFenced(lease)
    return rowCount === 1
  }
  const mustWrite = async (lease: Lease, text: string, rest?: unknown[]): Promise<void> => {
    if (!(await write(lease, text, rest))) throw new LeaseLost(lease)
  }
  const claimFrom = async (turn: TenantTurn, kinds: readonly string[]): Promise<Lease[]> =>
    (await pool.query<Lease>(claimOf, [owner, leaseMs, turn.tenantId, kinds, turn.take])).rows

  return {
    async claim({ kinds, limit, roomOf = () => limit }) {
      const { rows } = await pool.query<WaitingTenant>(turns, [kinds])
      const waiting = rows.map((tenant) => ({
        ...tenant,
        waiting: Math.min(tenant.waiting, roomOf(tenant.tenantId)),
      }))
      const leases: Lease[] = []
      for (const turn of shareTurns(waiting, limit)) leases.push(...(await claimFrom(turn, kinds)))
      return {
        leases,
        isMore: leases.length < rows.reduce((sum, tenant) => sum + tenant.waiting, 0),
      }
    },
    renew: (lease) => write(lease, renewal, [leaseMs]),
    async finish(lease, { again }) {
      const mine = [lease.kind, lease.objectId, lease.epoch, lease.rung]
      if (again === null && (await pool.query(done, mine)).rowCount === 1) return false
      const { rows } = await pool.query<{ isDue: boolean }>(dueAgain, [
        ...mine,
        again?.afterMs ?? 0,
      ])
      if (rows[0]) return rows[0].isDue
      onFenced(lease)
      throw new LeaseLost(lease)
    },
    fail: (lease, { error, delayMs, attempts }) =>
      mustWrite(lease, failing, [error.slice(0, longestError), delayMs, attempts, lease.rung]),
    poison: (lease, error) =>
      mustWrite(lease, poisoning, [error.slice(0, longestError), lease.attempts]),
    async release(lease) {
      await write(lease, releasing)
    },
    async assertHeld(client, lease) {
      try {
        await fence(client, lease)
      } catch (error) {
        if (error instanceof LeaseLost) onFenced(lease)
        throw error
      }
    },
  }
}
