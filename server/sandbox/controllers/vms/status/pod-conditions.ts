import { clock } from '../../../clock.ts'
import { type KubeObject } from '../../../objects/types.ts'
import { type Desk } from '../../desk.ts'
import { read } from '../../../objects/read.ts'
import {
  type Said,
  conditionOf,
  conditionsOf,
  isTrue,
  withCondition,
} from '../../../objects/vms/conditions.ts'

const unpaused = 'kubevirt.io/virtual-machine-unpaused'

/**
 * Says in the pod of an instance whether the guest takes part in time, by which traffic to it is
 * held back; the pod as it is then.
 */
export function tellPaused(desk: Desk, vmi: KubeObject, pod: KubeObject): KubeObject {
  const isPaused = isTrue(vmi, 'Paused')
  const known = conditionOf(pod, unpaused)?.status === 'True'
  // One that is paused before it was ever said to run has nothing to take back.
  if (isPaused ? !known : known) return pod
  const said: Said = isPaused
    ? { status: 'False', reason: 'Paused', message: 'the virtual machine is paused' }
    : { status: 'True', reason: 'NotPaused', message: 'the virtual machine is not paused' }
  const conditions = withCondition(conditionsOf(pod), unpaused, {
    ...said,
    lastProbeTime: clock.timestamp(),
  })
  return desk.setStatus('pods', pod, { ...read.status(pod), conditions })
}
