import { type Lease } from './work-lease.ts'
import { type WorkKey } from '../model/work-key.ts'
import { messageOf } from '../model/message.ts'

export interface Outcome {
  /** Null when there is nothing left to do; otherwise when to look again. */
  readonly again: null | { readonly afterMs: number }
}

/**
 * Makes one object agree with its row, one step per call. Steps are ensure-style: after a crash, a
 * lost lease or a repeated call the same step runs again and changes nothing. Every transaction
 * that writes begins with `work.assertHeld(client, lease)`; the signal aborts when the lease is
 * lost, the time is over or the worker stops.
 */
export interface Reconciler {
  readonly kind: string
  /** Runs without progress after which the key is given up. */
  readonly maxAttempts?: number
  /** A run that takes longer counts as failed, and its writes are fenced from then on. */
  readonly maxRunMs?: number
  reconcile(key: WorkKey, lease: Lease, signal: AbortSignal): Promise<Outcome>
  /**
   * The last word before the key is given up, still under the lease: fail the operation, say why.
   */
  gaveUp?(key: WorkKey, lease: Lease, error: string): Promise<void>
}

export const defaults = { maxAttempts: 25, maxRunMs: 120_000 } as const

export const done: Outcome = { again: null }
export const atOnce: Outcome = { again: { afterMs: 0 } }

/** What becomes of the promises of a key that is given up. */
export const outOfTime = {
  code: 'cluster_unavailable',
  detail: messageOf('operation.not_in_time'),
} as const
