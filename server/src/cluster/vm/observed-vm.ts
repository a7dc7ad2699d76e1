import {
  type ObservedVmi,
  type ObservedLauncher,
  type ObservedVm,
} from '../../domain/vm/observed.ts'
import { isTrue, numberAt, reasonIn, reasonWhen } from './conditions.ts'
import { fieldAt, listAt, textAt } from '../../engine/kube/field-at.ts'
import { type ApiObject } from '../../engine/kube/objects.ts'
import { observedDisks } from './observed-disks.ts'
import { observedNics } from './observed-nics.ts'
import { observedObject } from '../../engine/kube/observed-object.ts'

/** The objects that were read for one VM. */
export interface VmObjects {
  vm: ApiObject
  instance: ApiObject | null
  /** DataVolumes of the namespace, as far as they were read. */
  volumes: readonly ApiObject[]
  /** The launcher pods; null when they were not read. */
  launchers: readonly ApiObject[] | null
}

/**
 * Combines the objects of one VM into the state that Berth records. Never throws: unknown values of
 * a newer cluster are passed on as text or become null.
 */
export function observedVm({ vm, instance, volumes, launchers }: VmObjects): ObservedVm {
  return {
    ...observedObject(vm),
    vmiVersion: instance?.metadata.resourceVersion ?? null,
    printableStatus: textAt(vm, 'status', 'printableStatus'),
    runStrategy: textAt(vm, 'spec', 'runStrategy'),
    followedRunStrategy: textAt(vm, 'status', 'runStrategy'),
    queued: queuedOf(vm),
    created: fieldAt(vm, 'status', 'created') === true,
    ready: fieldAt(vm, 'status', 'ready') === true,
    startFailures: startFailuresOf(vm),
    // Other conditions of a VM are copies of its last VMI's, even long after that has ended.
    conditions: {
      failure: reasonWhen(vm, 'Failure', 'True'),
      restartRequired: reasonWhen(vm, 'RestartRequired', 'True'),
      manualRecovery: reasonWhen(vm, 'ManualRecoveryRequired', 'True'),
    },
    vmi: instance && observedInstance(instance, launchers),
    disks: observedDisks(vm, { instance, volumes }),
    launcher: launchers && observedLauncher(launchers),
  }
}

const actions: Readonly<Record<string, 'start' | 'stop'>> = { Start: 'start', Stop: 'stop' }

const queuedOf = (vm: ApiObject): ('start' | 'stop')[] =>
  listAt(vm, 'status', 'stateChangeRequests').flatMap(
    (each) => actions[textAt(each, 'action') ?? ''] ?? [],
  )

function startFailuresOf(vm: ApiObject): ObservedVm['startFailures'] {
  const count = numberAt(vm, 'status', 'startFailure', 'consecutiveFailCount')
  return count === null
    ? null
    : { count, retryAfter: textAt(vm, 'status', 'startFailure', 'retryAfterTimestamp') }
}

function observedInstance(
  instance: ApiObject,
  launchers: readonly ApiObject[] | null,
): ObservedVmi {
  const phase = textAt(instance, 'status', 'phase')
  return {
    uid: instance.metadata.uid,
    phase,
    isDeleting: instance.metadata.deletionTimestamp !== undefined,
    graceSeconds: numberAt(instance, 'spec', 'terminationGracePeriodSeconds'),
    node: textAt(instance, 'status', 'nodeName'),
    nodeLost: isLost(instance) || (launchers ?? []).some(isLost),
    startedAt: phaseEnteredAt(instance, 'Running'),
    since: phase && phaseEnteredAt(instance, phase),
    paused: reasonWhen(instance, 'Paused', 'True'),
    agentConnected: isTrue(instance, 'AgentConnected'),
    liveMigratable:
      isTrue(instance, 'LiveMigratable') ||
      (reasonWhen(instance, 'LiveMigratable', 'False') ? false : null),
    migrationObstacle: staysOf(instance),
    isMigrating: isMigrating(fieldAt(instance, 'status', 'migrationState')),
    notReady: reasonWhen(instance, 'Ready', 'False'),
    notSynchronized: reasonWhen(instance, 'Synchronized', 'False'),
    unscheduled: reasonWhen(instance, 'PodScheduled', 'False'),
    ...observedNics(instance),
    guestOs:
      textAt(instance, 'status', 'guestOSInfo', 'prettyName') ??
      textAt(instance, 'status', 'guestOSInfo', 'name'),
  }
}

const lostReasons = ['NodeUnresponsive', 'NodeNotReady', 'NodeLost', 'NodeStatusUnknown']

/**
 * True for a VMI that was given up with its node, or whose pod is not ready because of its node.
 */
function isLost(object: ApiObject): boolean {
  const reasons = [textAt(object, 'status', 'reason'), reasonWhen(object, 'Ready', 'False')?.reason]
  return (
    textAt(object, 'status', 'phase') === 'Unknown' ||
    reasons.some((reason) => lostReasons.includes(reason ?? ''))
  )
}

function staysOf(instance: ApiObject): ObservedVmi['migrationObstacle'] {
  const held = reasonWhen(instance, 'LiveMigratable', 'False')
  return held && (held.reason === 'DisksNotLiveMigratable' ? 'disks' : 'host')
}

/** KubeVirt keeps the state of the last migration after its end. */
const isMigrating = (state: unknown): boolean =>
  textAt(state, 'startTimestamp') !== null &&
  textAt(state, 'endTimestamp') === null &&
  fieldAt(state, 'completed') !== true

export function phaseEnteredAt(instance: ApiObject, phase: string): string | null {
  const entered = listAt(instance, 'status', 'phaseTransitionTimestamps').find(
    (each) => textAt(each, 'phase') === phase,
  )
  return textAt(entered, 'phaseTransitionTimestamp')
}

const ordinaryWaits = ['ContainerCreating', 'PodInitializing']

function observedLauncher(launchers: readonly ApiObject[]): ObservedLauncher {
  const waiting = launchers
    .flatMap((pod) => [
      ...listAt(pod, 'status', 'initContainerStatuses'),
      ...listAt(pod, 'status', 'containerStatuses'),
    ])
    .map((container) => fieldAt(container, 'state', 'waiting'))
    .find(
      (state) =>
        state !== undefined &&
        !ordinaryWaits.includes(textAt(state, 'reason') ?? 'PodInitializing'),
    )
  const unscheduled = launchers
    .map((pod) => reasonWhen(pod, 'PodScheduled', 'False'))
    .find((reason) => reason !== null)
  return {
    unscheduled: unscheduled ?? null,
    waiting: waiting === undefined ? null : reasonIn(waiting),
  }
}
