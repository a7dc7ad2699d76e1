import { clock } from '../../../clock.ts'
import { type KubeObject } from '../../../objects/types.ts'
import { type Desk } from '../../desk.ts'
import { isDeleted } from '../../holds.ts'
import { controllerOf } from '../../owners.ts'
import { read } from '../../../objects/read.ts'
import { isTrue, withCondition } from '../../../objects/vms/conditions.ts'
import { guestGraceSeconds } from './grace.ts'
import { vmiKind } from '../../../objects/vms/kinds.ts'
import { isLauncher, launcherOf } from '../launcher/launchers.ts'
import { isFinal, phaseOf } from '../../../objects/vms/phase.ts'

/** The pod ends as its guest did; the guest, if anything of it still runs, with it. */
export function endPod(desk: Desk, vmi: KubeObject): undefined {
  if (!isFinal(vmi)) return
  desk.world.guests?.halt(vmi.metadata.uid ?? '')
  const pod = launcherOf(desk, vmi)
  if (!pod || isFinal(pod)) return
  const conditions = withCondition(read.maps(read.status(pod).conditions), 'Ready', {
    status: 'False',
    reason: 'PodCompleted',
  })
  desk.setStatus('pods', pod, { ...read.status(pod), phase: phaseOf(vmi), conditions })
}

/**
 * The guest ends before its pod, which is deleted: how long that still takes. It is asked to go
 * down, and loses its power when its time is over. Nobody says of the instance how it ended: that
 * is found out when the pod is gone.
 */
export function takeDown(desk: Desk, pod: KubeObject): number {
  const vmi = vmiIn(desk, pod)
  if (!vmi) return 0
  const { guests } = desk.world
  const { uid = '' } = vmi.metadata
  guests?.askDown(uid)
  const waitMs = timeLeftMs(desk, pod, vmi)
  if (waitMs > 0) return waitMs
  guests?.halt(uid)
  return 0
}

/** The instance whose guest runs in the pod. */
function vmiIn(desk: Desk, pod: KubeObject): KubeObject | undefined {
  if (!isLauncher(pod)) return undefined
  const vmi = desk.get(vmiKind, pod.metadata.namespace, controllerOf(pod)?.name ?? '')
  // The pod that a guest is on its way to holds none yet.
  const isHere =
    vmi && phaseOf(vmi) === 'Running' && launcherOf(desk, vmi)?.metadata.uid === pod.metadata.uid
  return isHere ? vmi : undefined
}

function timeLeftMs(desk: Desk, pod: KubeObject, vmi: KubeObject): number {
  const { deletionTimestamp = '', deletionGracePeriodSeconds = 0 } = pod.metadata
  const leftMs = (graceSeconds: number): number =>
    Date.parse(deletionTimestamp) + graceSeconds * 1_000 - clock.nowMs()
  const untilKilledMs = leftMs(deletionGracePeriodSeconds)
  // With its instance the agent of its node brings it down, and says so in the pod's phase.
  if (isDeleted(vmi)) return untilKilledMs
  // One that is paused hears nothing.
  const downMs = isTrue(vmi, 'Paused')
    ? leftMs(guestGraceSeconds(vmi))
    : desk.remainingMs('guestStop', pod)
  return Math.min(untilKilledMs, downMs)
}
