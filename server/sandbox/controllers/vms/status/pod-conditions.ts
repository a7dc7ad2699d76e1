import { clock } from '../../../clock.ts'
import { type KubeObject } from '../../../objects/types.ts'
import { type Client } from '../../client.ts'
import { read } from '../../../objects/read.ts'
import {
  type ConditionUpdate,
  conditionOf,
  conditionsOf,
  isTrue,
  withCondition,
} from '../../../objects/vms/conditions.ts'

const unpaused = 'kubevirt.io/virtual-machine-unpaused'

/**
 * Sets the readiness gate of the launcher pod, which removes a paused guest from Services; returns
 * the updated pod.
 */
export function reportPaused(client: Client, vmi: KubeObject, pod: KubeObject): KubeObject {
  const isPaused = isTrue(vmi, 'Paused')
  const known = conditionOf(pod, unpaused)?.status === 'True'
  // A condition that was never true need not be revoked when the VMI is paused.
  if (isPaused ? !known : known) return pod
  const update: ConditionUpdate = isPaused
    ? { status: 'False', reason: 'Paused', message: 'the virtual machine is paused' }
    : { status: 'True', reason: 'NotPaused', message: 'the virtual machine is not paused' }
  const conditions = withCondition(conditionsOf(pod), unpaused, {
    ...update,
    lastProbeTime: clock.timestamp(),
  })
  return client.setStatus('pods', pod, { ...read.status(pod), conditions })
}
