import { type KubeObject } from '../../objects/types.ts'
import { type Controller, type Key, ownKey } from '../controller.ts'
import { type Client } from '../client.ts'
import { controllerOf } from '../owners.ts'
import { attachmentsOf, detach, syncAttachments } from '../hotplug/attachments.ts'
import { claimNameOf } from '../hotplug/volume-source.ts'
import { volumesOf } from '../hotplug/volumes.ts'
import { graceLeftMs } from '../nics/nic-status.ts'
import { indexed } from '../store-index.ts'
import { isTrue } from '../../objects/vms/conditions.ts'
import { withPodState } from './vmi-pod-state.ts'
import { vmiKind } from '../../objects/vms/kinds.ts'
import { isLauncher, launcherOf, launchersOf } from './launcher/launchers.ts'
import { reportPaused } from './status/pod-conditions.ts'
import { startLauncher } from './launcher/start.ts'
import { endVmi, failLostVmi } from './vmi-end.ts'
import { isFinal, phaseOf } from '../../objects/vms/phase.ts'

const nodeLabel = 'kubevirt.io/nodeName'
const observed = {
  'kubevirt.io/latest-observed-api-version': 'v1',
  'kubevirt.io/storage-observed-api-version': 'v1',
}

/**
 * Creates the launcher pod of a VMI, follows it until it is scheduled, and deletes both.
 * virt-handler does the work on the node.
 */
export const vmiController: Controller = {
  name: 'virt-controller',
  sources: [
    { kind: vmiKind, keysOf: ownKey },
    {
      kind: 'pods',
      // Matched by owner: the label `vm.kubevirt.io/name` holds the hostname, which may differ from
      // the VMI's name.
      keysOf: (pod) =>
        isLauncher(pod) ? keysOf(pod.metadata.namespace, controllerOf(pod)?.name) : [],
    },
    {
      kind: 'pods',
      keysOf: ({ metadata: { namespace, annotations = {} } }) =>
        keysOf(namespace, annotations['kubevirt.io/owner-vmi-name']),
    },
    {
      kind: 'persistentvolumeclaims',
      keysOf: ({ metadata: { namespace, name } }, client) =>
        instancesByClaim(client, `${namespace}/${name}`).flatMap(ownKey),
    },
    {
      kind: 'datavolumes.cdi.kubevirt.io',
      keysOf: ({ metadata: { namespace, name } }, client) =>
        instancesByClaim(client, `${namespace}/${name}`).flatMap(ownKey),
    },
  ],
  reconcile(client, { namespace, name }) {
    const vmi = client.get(vmiKind, namespace, name)
    if (!vmi) return undefined
    const pod = launcherOf(client, vmi)
    if (vmi.metadata.deletionTimestamp !== undefined || isFinal(vmi))
      return endVmi(client, vmi, pod)
    if (vmi.metadata.annotations?.['kubevirt.io/latest-observed-api-version'] === undefined)
      return annotate(client, vmi)
    if (!pod)
      return ['', 'Pending'].includes(phaseOf(vmi))
        ? startLauncher(client, vmi)
        : failLostVmi(client, vmi)
    labelPod(client, vmi, reportPaused(client, vmi, pod))
    dropOrphans(client, vmi)
    const now = client.change(
      vmiKind,
      vmi,
      withPodState(client, { vmi, launcher: pod }, takenOut(client, vmi, pod)),
    )
    return graceLeftMs(client, now) || undefined
  },
}

const keysOf = (namespace: string | undefined, name: string | undefined): Key[] =>
  name === undefined ? [] : [{ namespace, name }]

const instancesByClaim = indexed(vmiKind, (vmi) =>
  volumesOf(vmi).map((volume) => `${vmi.metadata.namespace}/${claimNameOf(volume)}`),
)

/** Deletes unneeded attachment pods of a running VMI; returns the deleted ones. */
const takenOut = (
  client: Client,
  vmi: KubeObject,
  launcher: KubeObject,
): ReturnType<typeof syncAttachments> =>
  phaseOf(vmi) === 'Running' && isTrue(launcher, 'Ready')
    ? syncAttachments(client, { vmi, launcher })
    : []

/** Copies the node label of the VMI to its pod. */
function labelPod(client: Client, vmi: KubeObject, pod: KubeObject): void {
  const node = vmi.metadata.labels?.[nodeLabel]
  if (node === undefined || pod.metadata.labels?.[nodeLabel] === node) return
  client.change('pods', pod, {
    ...pod,
    metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, [nodeLabel]: node } },
  })
}

/** Deletes the attachment pods of finished launcher pods, which the new launcher cannot use. */
function dropOrphans(client: Client, vmi: KubeObject): void {
  const over = launchersOf(client, vmi).filter(isFinal)
  for (const pod of over.flatMap((each) => attachmentsOf(client, each))) detach(client, vmi, pod)
}

function annotate(client: Client, vmi: KubeObject): undefined {
  const { metadata } = vmi
  client.change(vmiKind, vmi, {
    ...vmi,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...observed } },
  })
}
