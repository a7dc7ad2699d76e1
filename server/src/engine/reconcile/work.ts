import { type SqlClient } from '../database/sql/sql-client.ts'
import { type TenantTurn, type WaitingTenant, shareTurns } from './work-turns.ts'
import { type Outcome } from './reconciler.ts'
import { type Lease, LeaseLost, fence } from './work-lease.ts'

/**
 * The queue of work keys: the kinds and ids of objects to reconcile. Each key is held by at most
 * one effective worker. Claims, leases and due times use only the database clock. A worker that was
 * paused beyond its lease has an old epoch, so its writes are refused.
 *
 * Guarantee: at least one run after each enqueue, and no two holders whose writes both count.
 * Limit: the cluster cannot check an epoch, so the steps of a run must be idempotent there.
 */
export interface Work {
  /**
   * Claims up to `limit` keys of these kinds, those of tenants with the fewest running keys first.
   * Of each tenant, begun work goes before new work, and keys that only wait go last.
   */
  claim(request: ClaimRequest): Promise<Claimed>
  /** Renews the lease for another term. Returns false when it is lost. */
  renew(lease: Lease): Promise<boolean>
  /**
   * Records a successful run. Deletes the key when nothing is left to do and it was not enqueued
   * during the run. Returns true when it is due at once.
   */
  finish(lease: Lease, result: Outcome): Promise<boolean>
  /** Records a failed run; the key is due again after the delay. */
  fail(lease: Lease, failure: Failure): Promise<void>
  /** Gives up the key. It stays visible with its error until it is enqueued with `fresh`. */
  poison(lease: Lease, error: string): Promise<void>
  /**
   * Hands the key back because the worker stops. It is due at once, and the attempt does not count.
   */
  release(lease: Lease): Promise<void>
  /** The fence: the first statement of a transaction that writes on behalf of the lease. */
  assertHeld(client: SqlClient, lease: Lease): Promise<void>
}

interface ClaimRequest {
  readonly kinds: readonly string[]
  readonly limit: number
  /** Returns how many more keys a tenant may claim now. */
  readonly roomOf?: (tenantId: string) => number
}

interface Claimed {
  readonly leases: Lease[]
  /** True when more keys were due than fit the limit. */
  readonly isMore: boolean
}

interface Failure {
  readonly error: string
  readonly delayMs: number
  /**
   * The new attempt count. A failure that the key did not cause need not bring it nearer to its
   * limit.
   */
  readonly attempts: number
}

export interface WorkParts {
  /** Must see all tenants: connects with `-c berth.scope=platform`. */
  readonly pool: SqlClient
  readonly owner: string
  readonly leaseMs?: number
  /** Called when a write of a lost lease is refused. */
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

// The attempt is counted before the run, so that a run that kills its process counts as well.
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
    order by turn, due_at limit $5
      for update skip locked)
returning kind, object_id as "objectId", tenant_id as "tenantId", lease_epoch as epoch, notified, attempts,
          (extract(epoch from clock_timestamp() - due_at) * 1000)::float8 as "lateMs"`,
}

const ownLease = 'kind = $1 and object_id = $2 and lease_epoch = $3'
const clearLease = 'lease_owner = null, lease_until = null'

const renewal = `update work set lease_until = clock_timestamp() + $4 * interval '1 ms' where ${ownLease} and lease_until > clock_timestamp()`

const done = {
  name: 'berth_work_done',
  text: `delete from work where ${ownLease} and notified = $4`,
}

// Expressions of SET see the row after the lock is acquired, so an enqueue that committed during
// the run counts.
const dueAgain = {
  name: 'berth_work_again',
  text: `
update work
   set ${clearLease}, attempts = 0, last_error = null,
       waits = case when $6 then waits + 1 else 0 end,
       turn = case when $6 and notified = $4 then 2 else 0 end,
       due_at = clock_timestamp() + interval '1 ms' * case
         when notified <> $4 then 0
         when $6 then least($5::float8 * 2 ^ least(waits, 16), greatest($5, $7::float8))
         else $5::float8 end
 where ${ownLease}
returning due_at <= clock_timestamp() as "isDue"`,
}

// An enqueue with `fresh` during the run has reset the attempts. Then neither this failure nor the
// limit counts.
const failing = `
update work
   set ${clearLease}, attempts = least(attempts, $6), last_error = $4, turn = 2,
       due_at = clock_timestamp() + case when notified = $7 then $5::float8 else least($5::float8, attempts * 1000) end * interval '1 ms'
 where ${ownLease}`

const poisoning = `
update work
   set ${clearLease}, last_error = $4, poisoned_at = case when attempts >= $5 then clock_timestamp() end
 where ${ownLease}`

const releasing = `update work set ${clearLease}, due_at = clock_timestamp(), attempts = greatest(attempts - 1, 0) where ${ownLease}`

const maxErrorLength = 2_000
const shortened = (error: string): string => error.slice(0, maxErrorLength)

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
  const writeOrThrow = async (lease: Lease, text: string, rest?: unknown[]): Promise<void> => {
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
      const ownLease = [lease.kind, lease.objectId, lease.epoch, lease.notified]
      if (again === null && (await pool.query(done, ownLease)).rowCount === 1) return false
      const { rows } = await pool.query<{ isDue: boolean }>(dueAgain, [
        ...ownLease,
        again?.afterMs ?? 0,
        again?.mostMs !== undefined,
        again?.mostMs ?? 0,
      ])
      if (rows[0]) return rows[0].isDue
      onFenced(lease)
      throw new LeaseLost(lease)
    },
    fail: (lease, { error, delayMs, attempts }) =>
      writeOrThrow(lease, failing, [shortened(error), delayMs, attempts, lease.notified]),
    poison: (lease, error) => writeOrThrow(lease, poisoning, [shortened(error), lease.attempts]),
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
