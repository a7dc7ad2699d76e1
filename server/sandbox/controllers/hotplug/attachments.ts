import { clock } from '../../clock.ts'
import { ApiError } from '../../objects/status.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { isDeleted } from '../finalizers.ts'
import { pods } from '../pods.ts'
import { read } from '../../objects/read.ts'
import { isFilled } from '../vms/status/data-volumes-ready.ts'
import { phaseOf } from '../../objects/vms/phase.ts'
import { attachmentLabel, attachmentPodOf } from './attachment-pod.ts'
import { claimNameOf, pluggedVolumes } from './volume-source.ts'
import { named, statusesOf, volumesOf } from './volumes.ts'

/*
 * One attachment pod mounts all hotplugged volumes of a VMI on its node. When the set of volumes
 * changes, a new pod is created. The old pod stays until the new one runs, so that no PVC in use is
 * released in between.
 */

export interface LaunchedVmi {
  vmi: KubeObject
  launcher: KubeObject
}

/** The attachment pods of a launcher pod, including those that are being deleted. */
export const attachmentsOf = (
  client: Client,
  { metadata: { uid = '' } }: KubeObject,
): KubeObject[] =>
  pods
    .ownedBy(client, uid)
    .filter(({ metadata }) => metadata.labels?.['kubevirt.io'] === attachmentLabel)

const claimVolumesOf = (pod: KubeObject): JsonMap[] =>
  read
    .maps(read.spec(pod).volumes)
    .filter(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined)

const mountsExactly = (pod: KubeObject, volumes: readonly JsonMap[]): boolean => {
  const mounted = claimVolumesOf(pod)
  return mounted.length === volumes.length && volumes.every(({ name }) => named(mounted, name))
}

/** The pod that mounts exactly these volumes and is not being deleted. */
export const currentOf = (
  all: readonly KubeObject[],
  volumes: readonly JsonMap[],
): KubeObject | undefined => all.find((pod) => mountsExactly(pod, volumes) && !isDeleted(pod))

/**
 * Creates and deletes attachment pods to match the volumes of the VMI; returns the deleted pods.
 */
export function syncAttachments(client: Client, launched: LaunchedVmi): KubeObject[] {
  const plugged = pluggedVolumes(launched.vmi, launched.launcher)
  const all = attachmentsOf(client, launched.launcher)
  const [first] = all
  if (
    isDeleted(launched.launcher) ||
    (first ? all.length === 1 && mountsExactly(first, plugged) : plugged.length === 0)
  )
    return []
  // A single missing PVC blocks the whole set, because the set cannot be determined.
  if (plugged.some((volume) => !claimOf(client, launched.vmi, volume))) return []
  const ready = plugged.filter((volume) => isFilled(client, claimOf(client, launched.vmi, volume)))
  const old = all.filter((pod) => !mountsExactly(pod, ready)).sort(newestFirst)
  const current = currentOf(all, ready)
  const isPending = old.some((pod) => !['Running', 'Succeeded', 'Failed'].includes(phaseOf(pod)))
  const made =
    current || isPending || ready.length === 0 ? current : attach(client, launched, ready)
  return made === 'refused'
    ? []
    : cleanUp(client, launched, { current: made, old, isSomeReady: ready.length > 0 })
}

const claimOf = (
  client: Client,
  { metadata: { namespace } }: KubeObject,
  volume: JsonMap,
): KubeObject | undefined => client.get('persistentvolumeclaims', namespace, claimNameOf(volume))

const newestFirst = ({ metadata: a }: KubeObject, { metadata: b }: KubeObject): number =>
  Date.parse(b.creationTimestamp ?? '') - Date.parse(a.creationTimestamp ?? '')

function attach(
  client: Client,
  { vmi, launcher }: LaunchedVmi,
  volumes: readonly JsonMap[],
): KubeObject | 'refused' {
  try {
    const pod = client.create('pods', attachmentPodOf(vmi, launcher, volumes))
    client.record(vmi, {
      type: 'Normal',
      reason: 'SuccessfulCreate',
      message: `Created attachment pod ${pod.metadata.name}`,
    })
    return pod
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    client.record(vmi, {
      type: 'Warning',
      reason: 'FailedCreate',
      message: `Error creating attachment pod: ${error.message}`,
    })
    return 'refused'
  }
}

interface Leftover {
  current: KubeObject | undefined
  old: readonly KubeObject[]
  isSomeReady: boolean
}

function cleanUp(
  client: Client,
  { vmi }: LaunchedVmi,
  { current, old, isSomeReady }: Leftover,
): KubeObject[] {
  const desired = volumesOf(vmi)
  const leaving = statusesOf(vmi).filter(
    ({ name, hotplugVolume }) => hotplugVolume !== undefined && !named(desired, name),
  )
  const isHeld = ({ name }: JsonMap): boolean =>
    ['Ready', 'MountedToPod'].includes(read.text(named(leaving, name)?.phase))
  let mayKeep = isSomeReady && (current === undefined || phaseOf(current) !== 'Running')
  return old.flatMap((pod) => {
    const isFallback = claimVolumesOf(pod).some(
      (volume) => named(desired, volume.name) !== undefined || isHeld(volume),
    )
    const stays = mayKeep && phaseOf(pod) === 'Running' && !isDeleted(pod) && isFallback
    if (stays) mayKeep = false
    return stays || claimVolumesOf(pod).some(isHeld) ? [] : [detach(client, vmi, pod)]
  })
}

/** Deletes the pod without a grace period; returns its last state. */
export function detach(client: Client, vmi: KubeObject, pod: KubeObject): KubeObject {
  if (isDeleted(pod)) return pod
  client.remove('pods', pod, 0)
  client.record(vmi, {
    type: 'Normal',
    reason: 'SuccessfulDelete',
    message: `Deleted attachment pod ${pod.metadata.name}`,
  })
  return { ...pod, metadata: { ...pod.metadata, deletionTimestamp: clock.timestamp() } }
}
