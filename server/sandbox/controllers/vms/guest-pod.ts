import { type KubeObject } from '../../apiserver/types.ts'
import { type Desk } from '../desk.ts'
import { read } from '../read.ts'
import { withCondition } from './conditions.ts'
import { launcherOf } from './launcher.ts'
import { isFinal, phaseOf } from './phase.ts'

/** The pod ends as its guest did; the guest, if anything of it still runs, with it. */
export function endPod(desk: Desk, vmi: KubeObject): undefined {
  if (!isFinal(vmi)) return
  desk.world.guests?.halt(vmi.metadata.uid ?? '')
  const pod = launcherOf(desk, vmi)
  if (!pod || isFinal(pod)) return
  const conditions = withCondition(read.maps(read.status(pod).conditions), 'Ready', { status: 'False', reason: 'PodCompleted' })
  desk.setStatus('pods', pod, { ...read.status(pod), phase: phaseOf(vmi), conditions })
}
