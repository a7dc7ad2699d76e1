import { clock } from '../../clock.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { attachmentsOf, detach } from '../hotplug/attachments.ts'
import { isDeleted } from '../finalizers.ts'
import { filled, read } from '../../objects/read.ts'
import { type ConditionUpdate, conditionsOf, withCondition } from '../../objects/vms/conditions.ts'
import { activePodsOf, readinessOf } from './vmi-pod-state.ts'
import { controllerFinalizer, deleteFinalizer, vmKind, vmiKind } from '../../objects/vms/kinds.ts'
import { launchersOf } from './launcher/launchers.ts'
import { isFinal, phaseOf } from '../../objects/vms/phase.ts'

/**
 * Deletes the pods of an ending VMI, then releases its finalizers. A finished VMI that is not
 * deleted keeps its pod, so that its result can be read.
 */
export function endVmi(client: Client, vmi: KubeObject, pod: KubeObject | undefined): undefined {
  const before = launchersOf(client, vmi)
  for (const each of before) if (isDeleted(vmi) || !isFinal(each)) dropPod(client, vmi, each)
  if (pod) for (const each of attachmentsOf(client, pod)) detach(client, vmi, each)
  const left = launchersOf(client, vmi)
  const updated = client.change(
    vmiKind,
    vmi,
    ended(client, vmi, { left, isGoing: before.length > 0 }),
  )
  // The status must report the deletion of the pods before the VMI is removed.
  const isOver = isFinal(updated) && before.length === 0 && isDeleted(vmi)
  // The owning VM records the result of the VMI and releases the controller finalizer itself.
  const holds = hasOwner(client, vmi) ? [deleteFinalizer] : [deleteFinalizer, controllerFinalizer]
  if (isOver) client.change(vmiKind, updated, without(updated, holds))
}

/** Fails a VMI whose launcher pod is gone. */
export function failLostVmi(client: Client, vmi: KubeObject): undefined {
  const { activePods: _gone, ...status } = read.status(vmi)
  const conditions = withCondition(conditionsOf(vmi), 'Ready', readinessOf(vmi, undefined))
  client.setStatus(vmiKind, vmi, { ...status, ...podsOf(client, vmi), phase: 'Failed', conditions })
}

function podsOf(client: Client, vmi: KubeObject): JsonMap {
  const activePods = activePodsOf(client, vmi)
  return Object.keys(activePods).length > 0 ? { activePods } : {}
}

function dropPod(client: Client, vmi: KubeObject, pod: KubeObject): void {
  if (isDeleted(pod)) return
  client.remove('pods', pod)
  client.record(vmi, {
    type: 'Normal',
    reason: 'SuccessfulDelete',
    message: `Deleted virtual machine pod ${pod.metadata.name}`,
  })
}

function ended(
  client: Client,
  vmi: KubeObject,
  { left, isGoing }: { left: readonly KubeObject[]; isGoing: boolean },
): KubeObject {
  const { launcherContainerImageVersion, activePods: _known, ...status } = read.status(vmi)
  const [pod] = left
  const isBeforeGuest = ['', 'Pending', 'Scheduling'].includes(phaseOf(vmi))
  // virt-handler ends guests that run. Before Scheduled, or without a pod, there is no guest, so
  // the VMI fails at once.
  const isLost = !isFinal(vmi) && (isBeforeGuest || left.length === 0)
  const next: JsonMap = filled({
    ...status,
    ...podsOf(client, vmi),
    launcherContainerImageVersion: left.length === 0 ? undefined : launcherContainerImageVersion,
    phase: isLost ? 'Failed' : status.phase,
    conditions: withCondition(
      conditionsOf(vmi),
      'Ready',
      isGoing ? terminating() : readinessOf(vmi, pod),
    ),
  })
  return { ...vmi, status: next }
}

const terminating = (): ConditionUpdate => ({
  status: 'False',
  reason: 'PodTerminating',
  message: 'virt-launcher pod is terminating',
  lastProbeTime: clock.timestamp(),
})

function without(vmi: KubeObject, finalizers: readonly string[]): KubeObject {
  const remaining = (vmi.metadata.finalizers ?? []).filter((each) => !finalizers.includes(each))
  const { finalizers: _all, ...metadata } = vmi.metadata
  return {
    ...vmi,
    metadata: remaining.length > 0 ? { ...metadata, finalizers: remaining } : metadata,
  }
}

const hasOwner = (
  client: Client,
  { metadata: { namespace, ownerReferences = [] } }: KubeObject,
): boolean =>
  ownerReferences.some(
    ({ kind, name, uid }) =>
      kind === 'VirtualMachine' && client.get(vmKind, namespace, name)?.metadata.uid === uid,
  )
