import { ApiError } from '../../apiserver/status.ts'
import { type KubeObject } from '../../apiserver/types.ts'
import { type Controller, type Key, ownKey } from '../controller.ts'
import { type Desk } from '../desk.ts'
import { isDeleted } from '../holds.ts'
import { attachmentsOf, detach, syncAttachments } from '../hotplug/attachments.ts'
import { claimNameOf, volumesOf } from '../hotplug/volumes.ts'
import { read } from '../read.ts'
import { indexed } from '../store-index.ts'
import { type Said, conditionsOf, isTrue, withCondition } from './conditions.ts'
import { followed } from './followed.ts'
import { controllerFinalizer, deleteFinalizer, vmiKind } from './kinds.ts'
import { launcherOf, launchersOf } from './launcher.ts'
import { launcherPodOf } from './launcher-pod.ts'
import { isFinal, phaseOf } from './phase.ts'

const retryMs = 1_000
const nodeLabel = 'kubevirt.io/nodeName'
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
    {
      kind: 'pods',
      keysOf: ({ metadata: { namespace, annotations = {} } }) => keysOf(namespace, annotations['kubevirt.io/owner-vmi-name']),
    },
    {
      kind: 'persistentvolumeclaims',
      keysOf: ({ metadata: { namespace, name } }, desk) => instancesByClaim(desk, `${namespace}/${name}`).flatMap(ownKey),
    },
    {
      kind: 'datavolumes.cdi.kubevirt.io',
      keysOf: ({ metadata: { namespace, name } }, desk) => instancesByClaim(desk, `${namespace}/${name}`).flatMap(ownKey),
    },
  ],
  reconcile(desk, { namespace, name }) {
    const vmi = desk.get(vmiKind, namespace, name)
    if (!vmi) return undefined
    const pod = launcherOf(desk, vmi)
    if (vmi.metadata.deletionTimestamp !== undefined || isFinal(vmi)) return end(desk, vmi, pod)
    if (vmi.metadata.annotations?.['kubevirt.io/latest-observed-api-version'] === undefined) return annotate(desk, vmi)
    if (!pod) return makePod(desk, vmi)
    labelPod(desk, vmi, pod)
    dropOrphans(desk, vmi)
    const gone = phaseOf(vmi) === 'Running' && isTrue(pod, 'Ready') ? syncAttachments(desk, { vmi, launcher: pod }) : []
    desk.change(vmiKind, vmi, followed(desk, { vmi, launcher: pod }, gone))
    return undefined
  },
}

const keysOf = (namespace: string | undefined, name: string | undefined): Key[] => (name === undefined ? [] : [{ namespace, name }])

const instancesByClaim = indexed(vmiKind, (vmi) => volumesOf(vmi).map((volume) => `${vmi.metadata.namespace}/${claimNameOf(volume)}`))

/** The pod shows the node of its instance, by which both are found. */
function labelPod(desk: Desk, vmi: KubeObject, pod: KubeObject): void {
  const node = vmi.metadata.labels?.[nodeLabel]
  if (node === undefined || pod.metadata.labels?.[nodeLabel] === node) return
  desk.change('pods', pod, { ...pod, metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, [nodeLabel]: node } } })
}

/** What is plugged beside a pod that is over is of no use to the one that took over. */
function dropOrphans(desk: Desk, vmi: KubeObject): void {
  const over = launchersOf(desk, vmi).filter(isFinal)
  for (const pod of over.flatMap((each) => attachmentsOf(desk, each))) detach(desk, vmi, pod)
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

/** First the pod, then the holds on the instance; an instance that only ended stays for whoever reads how. */
function end(desk: Desk, vmi: KubeObject, pod: KubeObject | undefined): undefined {
  for (const each of launchersOf(desk, vmi)) if (each !== pod && !isDeleted(each)) desk.remove('pods', each)
  if (pod) for (const each of attachmentsOf(desk, pod)) detach(desk, vmi, each)
  if (pod && pod.metadata.deletionTimestamp === undefined) {
    desk.remove('pods', pod)
    desk.record(vmi, { type: 'Normal', reason: 'SuccessfulDelete', message: `Deleted virtual machine pod ${pod.metadata.name}` })
  }
  if (pod && !isFinal(vmi)) return terminating(desk, vmi)
  if (vmi.metadata.deletionTimestamp === undefined || (pod && !isFinal(pod))) return
  const released = desk.release(vmiKind, vmi, controllerFinalizer)
  if (launchersOf(desk, vmi).length === 0) desk.release(vmiKind, released, deleteFinalizer)
}

function terminating(desk: Desk, vmi: KubeObject): undefined {
  const said: Said = { status: 'False', reason: 'PodTerminating', message: 'virt-launcher pod is terminating' }
  desk.setStatus(vmiKind, vmi, { ...read.status(vmi), conditions: withCondition(conditionsOf(vmi), 'Ready', said) })
}
