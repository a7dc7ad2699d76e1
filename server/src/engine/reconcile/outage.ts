import { ClusterError, reactions } from '../kube/cluster-error.ts'
import { Fault, type FaultCode } from '../model/fault.ts'

const outages: readonly FaultCode[] = [
  'cluster_unavailable',
  'overloaded',
  'timeout',
  'too_many_requests',
]

/**
 * The world is out of order, not the key: such a failure is waited out, as long as was asked for,
 * and never leads to giving the key up. Null for every other failure.
 */
export function outageIn(error: unknown): { waitMs: number } | null {
  if (error instanceof Fault && outages.includes(error.code))
    return { waitMs: (error.retryAfterSeconds ?? 0) * 1_000 }
  if (!(error instanceof ClusterError)) return null
  const { retry, fault } = reactions[error.trouble]
  return retry === 'again' || outages.includes(fault) ? { waitMs: error.retryAfterMs ?? 0 } : null
}

/** The cluster will never take it, however often it is told. */
export const isRefusal = (error: unknown): error is ClusterError =>
  error instanceof ClusterError && reactions[error.trouble].retry === 'never'
