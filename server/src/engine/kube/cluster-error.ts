import { type FaultCode, type FaultField } from '../model/fault.ts'

/**
 * The meaning of an error of the cluster. The numbers are those of the reliability reference,
 * section 3.3.
 */
export type Trouble =
  | 'name_taken' //            F-01, and Berth does not own the object
  | 'version_conflict' //      F-02
  | 'field_conflict' //        F-03
  | 'uid_mismatch' //          F-04
  | 'gone' //                  F-05
  | 'namespace_missing' //     F-05
  | 'not_served' //            404 without a Status: the cluster does not know the kind
  | 'namespace_terminating' // F-06
  | 'quota_exceeded' //        F-07
  | 'not_permitted' //         F-08
  | 'refused' //               F-09
  | 'webhook_unavailable' //   F-10
  | 'throttled' //             F-11
  | 'maybe_applied' //         F-12, F-13, F-14: indistinguishable
  | 'unauthenticated' //       F-15
  | 'unreachable' //           F-17
  | 'expired' //               410: list again

interface ClusterErrorDetails {
  trouble: Trouble
  /** The name of the call, such as `apply namespace acme`. */
  call: string
  status: number | null
  /** The API group of the called kind; absent for calls to no kind. */
  group?: string | undefined
  retryAfterMs?: number | undefined
  fields?: readonly FaultField[]
  cause?: unknown
}

/**
 * A failed call to the cluster. The message comes from the cluster and is for logs, not for
 * tenants.
 */
export class ClusterError extends Error {
  readonly trouble: Trouble
  readonly status: number | null
  readonly group: string | null
  readonly retryAfterMs: number | undefined
  readonly fields: readonly FaultField[]

  constructor(
    message: string,
    { trouble, call, status, group, retryAfterMs, fields, cause }: ClusterErrorDetails,
  ) {
    super(`${call}: ${message}`, cause === undefined ? undefined : { cause })
    this.name = 'ClusterError'
    this.trouble = trouble
    this.status = status
    this.group = group ?? null
    this.retryAfterMs = retryAfterMs
    this.fields = fields ?? []
  }
}

interface Reaction {
  /**
   * `again`: the same call may work later. `reread`: read the object, then decide. `never`: the
   * same call can never work. `settled`: the object no longer exists, which completes a delete and
   * fails any other call.
   */
  retry: 'again' | 'reread' | 'never' | 'settled'
  /** The fault of an operation that gives up for this reason. */
  fault: FaultCode
  /** True for a bug or a broken installation, which an operator must fix. */
  alarm?: true
}

export const reactions: Readonly<Record<Trouble, Reaction>> = {
  name_taken: { retry: 'never', fault: 'cluster_name_conflict' },
  version_conflict: { retry: 'reread', fault: 'version_conflict' },
  field_conflict: { retry: 'never', fault: 'platform_error', alarm: true },
  uid_mismatch: { retry: 'settled', fault: 'conflict' },
  gone: { retry: 'settled', fault: 'not_found' },
  not_served: { retry: 'again', fault: 'cluster_unavailable', alarm: true },
  namespace_missing: { retry: 'never', fault: 'tenant_not_ready' },
  namespace_terminating: { retry: 'never', fault: 'tenant_deleting' },
  quota_exceeded: { retry: 'never', fault: 'capacity' },
  not_permitted: { retry: 'never', fault: 'platform_error', alarm: true },
  refused: { retry: 'never', fault: 'platform_error' },
  webhook_unavailable: { retry: 'again', fault: 'cluster_unavailable' },
  throttled: { retry: 'again', fault: 'cluster_unavailable' },
  maybe_applied: { retry: 'reread', fault: 'cluster_unavailable' },
  unauthenticated: { retry: 'again', fault: 'platform_error', alarm: true },
  unreachable: { retry: 'again', fault: 'cluster_unavailable' },
  expired: { retry: 'reread', fault: 'cluster_unavailable' },
}
