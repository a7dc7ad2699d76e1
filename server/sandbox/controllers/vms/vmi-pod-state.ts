import { numberOf } from '../../quantity.ts'
import { clock } from '../../clock.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { type LaunchedVmi } from '../hotplug/attachments.ts'
import { volumeStatusOf } from '../hotplug/volume-status.ts'
import { isDeleted } from '../finalizers.ts'
import { migrationRequired, nicStatusOf } from '../nics/nic-status.ts'
import { filled, read } from '../../objects/read.ts'
import {
  type ConditionUpdate,
  conditionOf,
  conditionsOf,
  isTrue,
  withCondition,
} from '../../objects/vms/conditions.ts'
import { withDataVolumes } from './status/data-volumes-ready.ts'
import { launchersOf } from './launcher/launchers.ts'
import { launcherImage } from './launcher/image.ts'
import { overheadOf, vcpusOf } from './launcher/memory-overhead.ts'
import { isFinal, phaseOf } from '../../objects/vms/phase.ts'

/**
 * The VMI with the state of its launcher pod. This sets the phases up to Scheduled; virt-handler
 * sets the later ones.
 */
export function withPodState(
  client: Client,
  launched: LaunchedVmi,
  gone: readonly KubeObject[],
): KubeObject {
  const { vmi, launcher } = launched
  const observed = {
    ...vmi,
    status: filled({ ...read.status(vmi), ...commonStatus(client, launched) }),
  }
  const phase = phaseOf(vmi)
  if (phase === '' || phase === 'Pending') return scheduling(observed)
  const known = {
    ...observed,
    status: { ...observed.status, activePods: activePodsOf(client, vmi) },
  }
  if (phase === 'Scheduling')
    return isTrue(launcher, 'Ready')
      ? scheduled(client, { vmi: known, launcher })
      : unscheduled(known, launcher)
  if (phase !== 'Running') return known
  const volumeStatus = volumeStatusOf(client, { vmi: known, launcher }, gone)
  const wired = {
    ...known,
    status: { ...known.status, volumeStatus, interfaces: nicStatusOf(known, launcher) },
  }
  const conditions = withCondition(
    withChanges(wired),
    'MigrationRequired',
    migrationRequired(client, wired),
  )
  return { ...wired, status: { ...wired.status, conditions } }
}

/** The pod exists, so earlier errors of its creation are cleared. */
function scheduling(vmi: KubeObject): KubeObject {
  const status = { runtimeUser: 107, selinuxContext: 'none', ...inPhase(vmi, 'Scheduling') }
  return {
    ...vmi,
    status: { ...status, conditions: withCondition(conditionsOf(vmi), 'Synchronized', null) },
  }
}

/** The conditions with pending hotplug changes, which the guest does not have yet. */
function withChanges(vmi: KubeObject): JsonMap[] {
  const { cores = 1, sockets = 1, threads = 1 } = read.map(read.status(vmi).currentCPUTopology)
  const { guestRequested } = read.map(read.status(vmi).memory)
  const { guest, maxGuest } = read.map(read.at(vmi.spec, 'domain', 'memory'))
  const hasMoreCpus = vcpusOf(vmi) !== Number(cores) * Number(sockets) * Number(threads)
  const hasMoreMemory =
    maxGuest !== undefined &&
    guestRequested !== undefined &&
    numberOf(guest) !== numberOf(guestRequested)
  const changes: [type: string, holds: boolean][] = [
    ['HotVCPUChange', hasMoreCpus],
    ['HotMemoryChange', hasMoreMemory],
  ]
  return changes.reduce(
    (all, [type, holds]) =>
      holds && !conditionOf(vmi, type) ? withCondition(all, type, { status: 'True' }) : all,
    conditionsOf(vmi),
  )
}

function commonStatus(client: Client, { vmi, launcher }: LaunchedVmi): JsonMap {
  const memory = { ...read.map(read.status(vmi).memory), memoryOverhead: overheadOf(vmi) }
  return {
    launcherContainerImageVersion: launcherImage,
    memory,
    conditions: withDataVolumes(
      client,
      vmi,
      withCondition(conditionsOf(vmi), 'Ready', readinessOf(vmi, launcher)),
    ),
  }
}

/** The Ready condition of a VMI, derived from its launcher pod. */
export function readinessOf(vmi: KubeObject, launcher: KubeObject | undefined): ConditionUpdate {
  // A condition of this controller gets a probe time; the pod's own condition is copied without
  // one.
  const probed = { status: 'False', lastProbeTime: clock.timestamp() } as const
  if (!launcher)
    return {
      ...probed,
      reason: 'PodNotExists',
      message: 'virt-launcher pod has not yet been scheduled',
    }
  if (isDeleted(launcher) || isFinal(launcher))
    return { ...probed, reason: 'PodTerminating', message: 'virt-launcher pod is terminating' }
  if (phaseOf(vmi) !== 'Running')
    return { ...probed, reason: 'GuestNotRunning', message: 'Guest VM is not reported as running' }
  const ready = conditionOf(launcher, 'Ready')
  if (!ready)
    return {
      ...probed,
      reason: 'PodConditionMissing',
      message: 'virt-launcher pod is missing the Ready condition',
    }
  if (ready.status === 'True') return { status: 'True' }
  return { status: 'False', reason: read.text(ready.reason), message: read.text(ready.message) }
}

/** The node of each launcher pod by the pod's UID; empty for a pod without a node. */
export const activePodsOf = (client: Client, vmi: KubeObject): JsonMap =>
  Object.fromEntries(
    launchersOf(client, vmi).map((pod) => [
      pod.metadata.uid ?? '',
      read.text(read.spec(pod).nodeName),
    ]),
  )

function inPhase(vmi: KubeObject, phase: string): JsonMap {
  const status = read.status(vmi)
  const transitions = read.maps(status.phaseTransitionTimestamps)
  const known =
    transitions.length > 0
      ? transitions
      : [transitionTo(phaseOf(vmi), vmi.metadata.creationTimestamp ?? '')]
  return {
    ...status,
    phase,
    phaseTransitionTimestamps: [...known, transitionTo(phase, clock.timestamp())],
  }
}

const transitionTo = (phase: string, phaseTransitionTimestamp: string): JsonMap => ({
  phase,
  phaseTransitionTimestamp,
})

function unscheduled(vmi: KubeObject, launcher: KubeObject): KubeObject {
  const scheduled = conditionOf(launcher, 'PodScheduled')
  const condition: ConditionUpdate | null =
    scheduled?.status === 'False'
      ? {
          status: 'False',
          reason: read.text(scheduled.reason),
          message: read.text(scheduled.message),
        }
      : null
  const conditions = withCondition(
    withCondition(conditionsOf(vmi), 'PodScheduled', condition),
    'Synchronized',
    imageError(launcher),
  )
  // A launcher that ends before it was ready never ran a guest, so the VMI fails.
  const status =
    isDeleted(launcher) || isFinal(launcher) ? inPhase(vmi, 'Failed') : read.status(vmi)
  return {
    ...vmi,
    status: filled({ ...status, qosClass: read.status(launcher).qosClass, conditions }),
  }
}

/** Copies a failed image pull of the pod into the VMI. */
function imageError(launcher: KubeObject): ConditionUpdate | null {
  const waiting = read
    .maps(read.status(launcher).containerStatuses)
    .map((each) => read.map(read.at(each.state, 'waiting')))
  const failed = waiting.find(
    ({ reason }) => reason === 'ErrImagePull' || reason === 'ImagePullBackOff',
  )
  return failed
    ? { status: 'False', reason: read.text(failed.reason), message: read.text(failed.message) }
    : null
}

/** Sets the node and the phase Scheduled, which hands the VMI over to virt-handler. */
function scheduled(client: Client, launched: LaunchedVmi): KubeObject {
  const { vmi, launcher } = launched
  const nodeName = read.text(read.spec(launcher).nodeName)
  const status = {
    ...inPhase(vmi, 'Scheduled'),
    nodeName,
    qosClass: read.text(read.status(launcher).qosClass),
    migrationTransport: 'Unix',
  }
  const conditions = ['PodScheduled', 'Synchronized'].reduce(
    (all, type) => withCondition(all, type, null),
    conditionsOf(vmi),
  )
  const labels = { ...vmi.metadata.labels, 'kubevirt.io/nodeName': nodeName }
  return {
    ...vmi,
    metadata: { ...vmi.metadata, labels },
    status: { ...status, conditions, volumeStatus: volumeStatusOf(client, launched, []) },
  }
}
