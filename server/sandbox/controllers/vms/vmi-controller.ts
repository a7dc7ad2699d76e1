import { ApiError } from '../../apiserver/status.ts'
import { type JsonMap, type KubeObject } from '../../apiserver/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Desk } from '../desk.ts'
import { filled, read } from '../read.ts'
import { type Said, conditionOf, conditionsOf, withCondition } from './conditions.ts'
import { overheadMi } from './instance.ts'
import { controllerFinalizer, deleteFinalizer, vmiKind } from './kinds.ts'
import { launcherOf } from './launcher.ts'
import { launcherImage, launcherPodOf } from './launcher-pod.ts'
import { isFinal, phaseOf } from './phase.ts'

const retryMs = 1_000
const observed = { 'kubevirt.io/latest-observed-api-version': 'v1', 'kubevirt.io/storage-observed-api-version': 'v1' }

/** Gives an instance its pod, follows it up to its node, and lets both go. What happens on the node is the node agent's. */
export const vmiController: Controller = {
  name: 'virt-controller',
  sources: [
    { kind: vmiKind, keysOf: ownKey },
    {
      kind: 'pods',
      keysOf: ({ metadata: { namespace, labels = {} } }) =>
        labels['kubevirt.io'] === 'virt-launcher' ? [{ namespace, name: labels['vm.kubevirt.io/name'] ?? '' }] : [],
    },
  ],
  reconcile(desk, { namespace, name }) {
    const vmi = desk.get(vmiKind, namespace, name)
    if (!vmi) return undefined
    const pod = launcherOf(desk, vmi)
    if (vmi.metadata.deletionTimestamp !== undefined || isFinal(vmi)) return end(desk, vmi, pod)
    if (vmi.metadata.annotations?.['kubevirt.io/latest-observed-api-version'] === undefined) return annotate(desk, vmi)
    if (!pod) return makePod(desk, vmi)
    desk.setStatus(vmiKind, vmi, followed(vmi, pod))
    if (phaseOf(pod) === 'Running' && vmi.metadata.labels?.['kubevirt.io/nodeName'] === undefined) placed(desk, vmi, pod)
    return undefined
  },
}

function annotate(desk: Desk, vmi: KubeObject): undefined {
  const { metadata } = vmi
  desk.change(vmiKind, vmi, { ...vmi, metadata: { ...metadata, annotations: { ...metadata.annotations, ...observed } } })
}

function makePod(desk: Desk, vmi: KubeObject): number | undefined {
  if (!['', 'Pending'].includes(phaseOf(vmi))) {
    desk.setStatus(vmiKind, vmi, { ...read.status(vmi), phase: 'Failed' })
    return undefined
  }
  try {
    const pod = desk.create('pods', launcherPodOf(vmi))
    desk.setStatus('pods', pod, { phase: 'Pending', qosClass: 'Burstable' })
    desk.record(vmi, { type: 'Normal', reason: 'SuccessfulCreate', message: `Created virtual machine pod ${pod.metadata.name}` })
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const said: Said = { status: 'False', reason: 'FailedCreate', message: error.message }
    desk.setStatus(vmiKind, vmi, { ...read.status(vmi), conditions: withCondition(conditionsOf(vmi), 'Synchronized', said) })
    desk.record(vmi, { type: 'Warning', reason: 'FailedCreate', message: `Error creating pod: ${error.message}` })
    return retryMs
  }
}

const waitsForGuest: Said = { status: 'False', reason: 'GuestNotRunning', message: 'Guest VM is not reported as running' }

/** What the pod says about the instance until its guest runs. */
function followed(vmi: KubeObject, pod: KubeObject): JsonMap {
  const status = read.status(vmi)
  const phase = phaseOf(vmi)
  const scheduled = conditionOf(pod, 'PodScheduled')
  const unscheduled: Said | null =
    scheduled?.status === 'False' ? { status: 'False', reason: read.text(scheduled.reason), message: read.text(scheduled.message) } : null
  const waiting = phase === 'Running' ? conditionsOf(vmi) : withCondition(conditionsOf(vmi), 'Ready', waitsForGuest)
  return filled({
    ...status,
    phase: phase === 'Pending' ? 'Scheduling' : phase === 'Scheduling' && phaseOf(pod) === 'Running' ? 'Scheduled' : phase,
    activePods: { [pod.metadata.uid ?? '']: read.text(read.spec(pod).nodeName) },
    nodeName: phaseOf(pod) === 'Running' ? read.text(read.spec(pod).nodeName) : status.nodeName,
    launcherContainerImageVersion: launcherImage,
    memory: { ...read.map(status.memory), memoryOverhead: `${overheadMi}Mi` },
    qosClass: 'Burstable',
    conditions: withCondition(waiting, 'PodScheduled', unscheduled),
    volumeStatus: status.volumeStatus ?? read.maps(read.spec(vmi).volumes).map(({ name }) => ({ name, target: '' })),
  })
}

function placed(desk: Desk, vmi: KubeObject, pod: KubeObject): void {
  const current = desk.get(vmiKind, vmi.metadata.namespace, vmi.metadata.name)
  if (!current) return
  const labels = { ...current.metadata.labels, 'kubevirt.io/nodeName': read.text(read.spec(pod).nodeName) }
  desk.change(vmiKind, current, { ...current, metadata: { ...current.metadata, labels } })
}

/** First the pod, then the holds on the instance; an instance that only ended stays for whoever reads how. */
function end(desk: Desk, vmi: KubeObject, pod: KubeObject | undefined): undefined {
  if (pod && pod.metadata.deletionTimestamp === undefined) {
    desk.remove('pods', pod)
    desk.record(vmi, { type: 'Normal', reason: 'SuccessfulDelete', message: `Deleted virtual machine pod ${pod.metadata.name}` })
  }
  if (pod && !isFinal(vmi)) return terminating(desk, vmi)
  if (vmi.metadata.deletionTimestamp === undefined || (pod && !isFinal(pod))) return
  const released = desk.release(vmiKind, vmi, controllerFinalizer)
  if (!pod) desk.release(vmiKind, released, deleteFinalizer)
}

function terminating(desk: Desk, vmi: KubeObject): undefined {
  const said: Said = { status: 'False', reason: 'PodTerminating', message: 'virt-launcher pod is terminating' }
  desk.setStatus(vmiKind, vmi, { ...read.status(vmi), conditions: withCondition(conditionsOf(vmi), 'Ready', said) })
}
