import { type Lease } from './work-lease.ts'
import { type WorkKey } from '../model/work-key.ts'
import { messageOf } from '../model/message.ts'

export interface Outcome {
  /** The next reconcile, or null when there is nothing left to do. */
  readonly again: null | NextPass
}

export interface NextPass {
  readonly afterMs: number
  /**
   * The longest time to the next pass, when this one changed nothing because the cluster, another
   * key or the operator works. Each such pass in a row doubles the time, and other keys go first.
   */
  readonly mostMs?: number
}

/**
 * Makes one object match its row, one step per call. Steps are idempotent: after a crash, a lost
 * lease or a repeated call the same step runs again and changes nothing. Every transaction that
 * writes begins with `work.assertHeld(client, lease)`. The signal aborts when the lease is lost,
 * the time is over or the worker stops.
 */
export interface Reconciler {
  readonly kind: string
  /** The number of runs without progress after which the key is given up. */
  readonly maxAttempts?: number
  /** The time limit of a run. A longer run counts as failed, and its later writes are fenced. */
  readonly maxRunMs?: number
  reconcile(key: WorkKey, lease: Lease, signal: AbortSignal): Promise<Outcome>
  /**
   * Called before the key is given up, still under the lease, to fail the operation and record the
   * reason.
   */
  gaveUp?(key: WorkKey, lease: Lease, error: string): Promise<void>
}

export const defaults = { maxAttempts: 25, maxRunMs: 120_000 } as const

export const done: Outcome = { again: null }
export const atOnce: Outcome = { again: { afterMs: 0 } }

/** The outcome of a pass that changed nothing. An event makes the key due at once. */
export const waiting = (afterMs: number, mostMs = 5_000): Outcome => ({
  again: { afterMs, mostMs },
})

/** The failure of the open operations of a key that is given up. */
export const outOfTime = {
  code: 'cluster_unavailable',
  detail: messageOf('operation.not_in_time'),
} as const
