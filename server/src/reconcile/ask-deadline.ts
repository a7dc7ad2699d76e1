import { ClusterError } from '../engine/kube/cluster-error.ts'
import { outageIn } from '../engine/reconcile/outage.ts'
import { type Lease, wasUnattended } from '../engine/reconcile/work-lease.ts'
import { type Outcome, atOnce } from '../engine/reconcile/reconciler.ts'
import { type Attendance } from './open-operations.ts'

interface Pass {
  lease: Lease
  /** True when an operation of the object was past its deadline when the pass began. */
  isOverdue: boolean
  /** Ends what is overdue. A pass that made progress has moved the deadline before. */
  expire: (attendance: Attendance) => Promise<void>
  act: () => Promise<Outcome>
}

/**
 * Runs a pass and asks for the deadline after it, because only the cluster tells whether there was
 * progress. While the cluster does not answer, no operation ends by its deadline.
 */
export async function askDeadlineAfter({ lease, isOverdue, expire, act }: Pass): Promise<Outcome> {
  if (!isOverdue) return act()
  try {
    await act()
  } catch (error) {
    // A key whose passes all fail is never attended to, but the cluster refuses it for ever.
    if (hasAnswered(error))
      await expire({ wasUnattended: wasUnattended({ ...lease, attempts: 1 }) })
    throw error
  }
  await expire({ wasUnattended: wasUnattended(lease) })
  return atOnce
}

/** The cluster answers that it does not know the kind, or the account of Berth. */
const permanentTroubles: readonly ClusterError['trouble'][] = ['not_served', 'unauthenticated']

const hasAnswered = (error: unknown): boolean =>
  outageIn(error) === null ||
  (error instanceof ClusterError && permanentTroubles.includes(error.trouble))
