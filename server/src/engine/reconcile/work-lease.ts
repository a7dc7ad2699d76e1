import { type WorkKey } from '../model/work-key.ts'
import { type SqlClient } from '../database/sql/sql-client.ts'

/**
 * The right to reconcile the object of a work key for a limited time. Epochs only grow, across all
 * keys; an older epoch never becomes valid again.
 */
export interface Lease extends WorkKey {
  readonly epoch: string
  /** How often the key had been enqueued when it was claimed. */
  readonly notified: string
  /** The number of runs since the last progress, including this one. */
  readonly attempts: number
  /** How long the key had been due when it was claimed. */
  readonly lateMs: number
}

const punctualMs = 10_000

/**
 * True when no worker could attend to the key just before: all were away or busy, or the cluster
 * did not answer. Time without progress is then no sign of a fault of the key.
 */
export const wasUnattended = ({ attempts, lateMs }: Pick<Lease, 'attempts' | 'lateMs'>): boolean =>
  attempts > 1 || lateMs > punctualMs

/** Another worker holds the work key. Stop at once and write nothing more. */
export class LeaseLost extends Error {
  readonly lease: Lease

  constructor(lease: Lease) {
    super(`the lease on ${lease.kind} ${lease.objectId} is lost (epoch ${lease.epoch})`)
    this.name = 'LeaseLost'
    this.lease = lease
  }
}

// A key share lock blocks only a claim. Enqueueing and renewing pass, because they update no key
// column, and a claim skips the row until this transaction ends. A full row lock would deadlock: a
// use case locks its object first and enqueues second, a reconciler does it the other way round.
const heldQuery = {
  name: 'berth_work_held',
  text: `
select from work
 where kind = $1 and object_id = $2 and lease_epoch = $3 and lease_until > clock_timestamp()
   for key share`,
}

/**
 * The fence. Call it first in every transaction that writes on behalf of a lease. While the
 * transaction is open, no other worker can claim the key. If another worker already did, it throws
 * and the transaction changes nothing.
 */
export async function fence(client: SqlClient, lease: Lease): Promise<void> {
  const { rowCount } = await client.query(heldQuery, [lease.kind, lease.objectId, lease.epoch])
  if (rowCount !== 1) throw new LeaseLost(lease)
}
