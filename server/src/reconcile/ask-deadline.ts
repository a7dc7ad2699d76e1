import { ClusterError } from '../engine/kube/cluster-error.ts'
import { type Message } from '../engine/model/message.ts'
import { outageIn } from '../engine/reconcile/outage.ts'
import { type Lease, wasUnattended } from '../engine/reconcile/work-lease.ts'
import { type Outcome, atOnce, waiting } from '../engine/reconcile/reconciler.ts'
import { obstacleIn } from './obstacle.ts'
import { type Attendance } from './open-operations.ts'

interface Pass {
  lease: Lease
  /** True when an operation was past its deadline, or waited for the operator, before the pass. */
  needsReview: boolean
  /** Ends what is overdue. A pass that made progress has moved the deadline before. */
  expire: (attendance: Attendance) => Promise<void>
  /** Records what the operator must provide before the object can be reconciled. */
  block: (obstacle: Message) => Promise<void>
  act: () => Promise<Outcome>
}

/**
 * The times between two attempts while a component or a right is missing. The operator may take
 * hours, and each object that waits costs calls.
 */
const blockedMs = { first: 10_000, most: 60_000 } as const

/**
 * Runs a pass and asks for the deadline after it, because only the cluster tells whether there was
 * progress. While the cluster does not answer, or lacks what the operator must provide, no
 * operation ends by its deadline.
 */
export async function askDeadlineAfter(pass: Pass): Promise<Outcome> {
  const { lease, needsReview, expire, block, act } = pass
  try {
    const outcome = await act()
    if (!needsReview) return outcome
  } catch (error) {
    const obstacle = obstacleIn(error)
    if (obstacle) {
      await block(obstacle)
      return waiting(blockedMs.first, blockedMs.most)
    }
    // A key whose passes all fail is never attended to, but the cluster refuses it for ever.
    if (needsReview && hasAnswered(error))
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
