import { absentComponent } from '../domain/cluster/component.ts'
import { ClusterError } from '../engine/kube/cluster-error.ts'
import { missingRightIn } from '../engine/kube/missing-rights.ts'
import { type Message, messageOf } from '../engine/model/message.ts'

/**
 * Returns what the operator must provide before the call can succeed: a component of the cluster,
 * or a right of Berth. Null when the call failed for another reason.
 */
export function obstacleIn(error: unknown): Message | null {
  if (!(error instanceof ClusterError)) return null
  const right = missingRightIn(error)
  if (right)
    return messageOf('operation.right_missing', { verb: right.verb, resource: right.resource })
  if (error.trouble !== 'not_served' || error.group === null) return null
  const reason = absentComponent(error.group)
  return reason && messageOf('operation.component_missing', { reason })
}

/**
 * Reads an object that Berth never recorded as created. A cluster that does not serve its kind has
 * no such object. The watch finds one that a paused worker left behind once the kind is served.
 */
export async function readIfServed<Observed>(
  read: () => Promise<Observed | null>,
): Promise<Observed | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ClusterError && error.trouble === 'not_served') return null
    throw error
  }
}
