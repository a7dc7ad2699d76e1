import { clock } from '../../../clock.ts'
import { type KubeObject } from '../../../objects/types.ts'
import { type Client } from '../../client.ts'
import { isDeleted } from '../../finalizers.ts'
import { controllerOf } from '../../owners.ts'
import { read } from '../../../objects/read.ts'
import { isTrue, withCondition } from '../../../objects/vms/conditions.ts'
import { guestGraceSeconds } from './grace.ts'
import { vmiKind } from '../../../objects/vms/kinds.ts'
import { isLauncher, launcherOf } from '../launcher/launchers.ts'
import { isFinal, phaseOf } from '../../../objects/vms/phase.ts'

/** Ends the launcher pod with the result of its guest, and halts a guest that still runs. */
export function endPod(client: Client, vmi: KubeObject): undefined {
  if (!isFinal(vmi)) return
  client.world.guests?.halt(vmi.metadata.uid ?? '')
  const pod = launcherOf(client, vmi)
  if (!pod || isFinal(pod)) return
  const conditions = withCondition(read.maps(read.status(pod).conditions), 'Ready', {
    status: 'False',
    reason: 'PodCompleted',
  })
  client.setStatus('pods', pod, { ...read.status(pod), phase: phaseOf(vmi), conditions })
}

/**
 * Shuts down the guest of a launcher pod that is being deleted; returns the milliseconds that it
 * may still take. The guest is powered off when its time is over.
 *
 * The phase of the VMI does not change here: virt-controller fails the VMI when the pod is gone.
 */
export function shutDownGuest(client: Client, pod: KubeObject): number {
  const vmi = vmiIn(client, pod)
  if (!vmi) return 0
  const { guests } = client.world
  const { uid = '' } = vmi.metadata
  guests?.pressPowerButton(uid)
  const waitMs = timeLeftMs(client, pod, vmi)
  if (waitMs > 0) return waitMs
  guests?.halt(uid)
  return 0
}

/** The VMI whose guest runs in the pod. */
function vmiIn(client: Client, pod: KubeObject): KubeObject | undefined {
  if (!isLauncher(pod)) return undefined
  const vmi = client.get(vmiKind, pod.metadata.namespace, controllerOf(pod)?.name ?? '')
  // A migration target pod holds no guest yet.
  const isHere =
    vmi && phaseOf(vmi) === 'Running' && launcherOf(client, vmi)?.metadata.uid === pod.metadata.uid
  return isHere ? vmi : undefined
}

function timeLeftMs(client: Client, pod: KubeObject, vmi: KubeObject): number {
  const { deletionTimestamp = '', deletionGracePeriodSeconds = 0 } = pod.metadata
  const leftMs = (graceSeconds: number): number =>
    Date.parse(deletionTimestamp) + graceSeconds * 1_000 - clock.nowMs()
  const untilKilledMs = leftMs(deletionGracePeriodSeconds)
  // virt-handler shuts down the guest of a deleted VMI, and ends the pod.
  if (isDeleted(vmi)) return untilKilledMs
  // A paused guest cannot react to the shutdown request.
  const downMs = isTrue(vmi, 'Paused')
    ? leftMs(guestGraceSeconds(vmi))
    : client.remainingMs('guestStop', pod)
  return Math.min(untilKilledMs, downMs)
}
