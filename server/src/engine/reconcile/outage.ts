import { ClusterError, reactions } from '../kube/cluster-error.ts'
import { missingRightIn } from '../kube/missing-rights.ts'
import { Fault, type FaultCode } from '../model/fault.ts'

const outages: readonly FaultCode[] = [
  'cluster_unavailable',
  'overloaded',
  'timeout',
  'too_many_requests',
]

/**
 * Detects an outage that the reconciled object did not cause. The worker waits for its end, at
 * least as long as requested, and never gives up the work key for it. Returns null for any other
 * failure.
 */
export function outageIn(error: unknown): { waitMs: number } | null {
  if (error instanceof Fault && outages.includes(error.code))
    return { waitMs: (error.retryAfterSeconds ?? 0) * 1_000 }
  if (!(error instanceof ClusterError)) return null
  if (missingRightIn(error)) return { waitMs: 0 }
  const { retry, fault } = reactions[error.trouble]
  return retry === 'again' || outages.includes(fault) ? { waitMs: error.retryAfterMs ?? 0 } : null
}

/** True when the cluster will never accept the request, however often it is repeated. */
export const isRefusal = (error: unknown): error is ClusterError =>
  error instanceof ClusterError && reactions[error.trouble].retry === 'never'

/**
 * True when the cluster will never accept the request, and no grant of a right to Berth changes
 * that.
 */
export const isFinalRefusal = (error: unknown): error is ClusterError =>
  isRefusal(error) && missingRightIn(error) === null
