import { type WorkKey } from '../model/work-key.ts'
import { type SqlClient } from '../database/sql/sql-client.ts'

/**
 * The right to work on a key for a while. Epochs only grow, over all keys; an older one never comes
 * back to life.
 */
export interface Lease extends WorkKey {
  readonly epoch: string
  /** How often the key had been rung when it was claimed. */
  readonly rung: string
  /** Runs since the last progress, this one included. */
  readonly attempts: number
}

/** The key belongs to somebody else by now: stop at once and change nothing more. */
export class LeaseLost extends Error {
  readonly lease: Lease

  constructor(lease: Lease) {
    super(`the lease on ${lease.kind} ${lease.objectId} is lost (epoch ${lease.epoch})`)
    this.name = 'LeaseLost'
    this.lease = lease
  }
}

// A key share lock stands in the way of nobody but a claim: rings and renewals pass (they touch no
// key column), the next holder skips the row until this transaction has ended. A full row lock
// would let a use case, which locks its object first and rings second, deadlock with a reconciler,
// which does it the other way round.
const held = {
  name: 'berth_work_held',
  text: `
select from work
 where kind = $1 and object_id = $2 and lease_epoch = $3 and lease_until > clock_timestamp()
   for key share`,
}

/**
 * The fence. Call it first in every transaction that writes on behalf of a lease: while the
 * transaction is open nobody else can claim the key, and if somebody already did, it throws and the
 * transaction changes nothing.
 */
export async function fence(client: SqlClient, lease: Lease): Promise<void> {
  const { rowCount } = await client.query(held, [lease.kind, lease.objectId, lease.epoch])
  if (rowCount !== 1) throw new LeaseLost(lease)
}
