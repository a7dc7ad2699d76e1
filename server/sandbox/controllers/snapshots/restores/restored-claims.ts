import { isDeepStrictEqual } from 'node:util'
import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { numberOf } from '../../../quantity.ts'
import { type Client } from '../../client.ts'
import { isDeleted } from '../../finalizers.ts'
import { controllerOf, ownedBy } from '../../owners.ts'
import { filled, read } from '../../../objects/read.ts'
import { type RestoreJob, keepsNoOwner, retryableError, restoresOf } from './restore-job.ts'
import {
  isRestoredBy,
  restoreNameKey,
  restoredName,
  lastRestoreAnnotation,
} from './restore-annotations.ts'
import { copiedVm } from '../../../objects/vms/snapshot-content.ts'
import { volumesOf } from '../../../objects/vms/vm-volumes.ts'

const claims = 'persistentvolumeclaims'
const dataVolumes = 'datavolumes.cdi.kubevirt.io'
export const populatedForKey = 'cdi.kubevirt.io/storage.populatedFor'
export const ownedByVmKey = 'restore.kubevirt.io/owned-by-vm'

/**
 * Creates a PVC from each volume snapshot. Returns the list of restores while that is not done,
 * else null.
 */
export function restoreClaims(client: Client, job: RestoreJob): JsonMap[] | null {
  const known = restoresOf(job.restore)
  const entries = backupsOf(job).map(
    (backup) =>
      known.find(({ volumeName }) => volumeName === backup.volumeName) ?? entryFor(job, backup),
  )
  if (!isDeepStrictEqual(known, entries)) return entries
  const steps = entries.map((entry) => restoreClaim(client, job, entry))
  return steps.some(({ isDone }) => !isDone) ? steps.map(({ entry }) => entry) : null
}

/** The volume backups to restore; memory dumps are left out. */
function backupsOf({ content }: RestoreJob): JsonMap[] {
  const dumps = volumesOf(copiedVm(content)).filter(({ memoryDump }) => memoryDump !== undefined)
  return read
    .maps(read.spec(content).volumeBackups)
    .filter(({ volumeName }) => !dumps.some(({ name }) => name === volumeName))
}

function entryFor({ restore }: RestoreJob, backup: JsonMap): JsonMap {
  const volumeName = read.text(backup.volumeName)
  const original = read.text(read.at(backup, 'persistentVolumeClaim', 'metadata', 'name'))
  return {
    persistentVolumeClaim: restoredName(restore, volumeName, original),
    volumeName,
    volumeSnapshotName: backup.volumeSnapshotName,
  }
}

interface Step {
  entry: JsonMap
  isDone: boolean
}

function restoreClaim(client: Client, job: RestoreJob, entry: JsonMap): Step {
  const { namespace } = job.restore.metadata
  const claim = client.get(claims, namespace, read.text(entry.persistentVolumeClaim))
  if (!claim) {
    client.create(claims, newClaim(client, job, entry))
    return { entry, isDone: false }
  }
  if (read.spec(job.restore).volumeRestorePolicy === 'InPlace' && !isRestoredBy(job.restore, claim))
    return deleteOldClaim(client, job, { entry, claim })
  const { phase = 'Pending' } = read.status(claim)
  if (phase === 'Pending') return { entry, isDone: waitsForConsumer(client, claim) }
  if (phase !== 'Bound')
    throw retryableError(`PVC ${namespace}/${claim.metadata.name} in status "${read.text(phase)}"`)
  return { entry, isDone: true }
}

function waitsForConsumer(client: Client, claim: KubeObject): boolean {
  const name = read.text(read.spec(claim).storageClassName)
  if (name === '') return false
  const storageClass = client.get('storageclasses.storage.k8s.io', undefined, name)
  if (!storageClass) throw retryableError(`StorageClass ${name} does not exist`)
  return storageClass.volumeBindingMode === 'WaitForFirstConsumer'
}

/**
 * Deletes the old PVC in an in-place restore. Its DataVolume is marked as pre-populated, so that
 * CDI does not fill a new one.
 */
function deleteOldClaim(
  client: Client,
  { restore }: RestoreJob,
  { entry, claim }: { entry: JsonMap; claim: KubeObject },
): Step {
  const owner = controllerOf(claim)
  const { namespace } = restore.metadata
  if (owner?.kind === 'DataVolume') {
    if (entry.dataVolumeName === undefined)
      return { entry: { ...entry, dataVolumeName: owner.name }, isDone: false }
    const volume = client.get(dataVolumes, namespace, owner.name)
    if (volume) prePopulate(client, volume, restore)
  }
  if (!isDeleted(claim)) client.remove(claims, claim)
  return { entry, isDone: false }
}

function prePopulate(client: Client, volume: KubeObject, { metadata: { name } }: KubeObject): void {
  const marks = {
    [restoreNameKey]: name,
    'cdi.kubevirt.io/storage.prePopulated': volume.metadata.name,
  }
  client.change(dataVolumes, volume, {
    ...volume,
    metadata: { ...volume.metadata, annotations: { ...volume.metadata.annotations, ...marks } },
  })
}

const foreignPrefixes = [
  'pv.kubernetes.io',
  'volume.beta.kubernetes.io',
  'cdi.kubevirt.io',
  'volume.kubernetes.io',
  'k8s.io/CloneRequest',
  'k8s.io/CloneOf',
]

function newClaim(client: Client, job: RestoreJob, entry: JsonMap): KubeObject {
  const { restore, content } = job
  const backup = read
    .maps(read.spec(content).volumeBackups)
    .find(({ volumeName }) => volumeName === entry.volumeName)
  if (!backup)
    throw retryableError(`volume backup for volume ${read.text(entry.volumeName)} not found`)
  const original = read.map(backup.persistentVolumeClaim)
  const { accessModes, storageClassName, volumeMode } = read.map(original.spec)
  const { labels, annotations } = marksOf(job, entry, original)
  const source = {
    apiGroup: 'snapshot.storage.k8s.io',
    kind: 'VolumeSnapshot',
    name: read.text(backup.volumeSnapshotName),
  }
  const owner = entry.dataVolumeName === undefined && !keepsNoOwner(restore) ? job.vm : undefined
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: read.text(entry.persistentVolumeClaim),
      namespace: restore.metadata.namespace ?? '',
      labels,
      annotations,
      ...(owner ? { ownerReferences: [ownedBy(owner)] } : {}),
    },
    spec: filled({
      accessModes,
      storageClassName,
      volumeMode,
      resources: sizeFor(copyNamed(client, job, source.name), original),
      dataSource: source,
      dataSourceRef: source,
    }),
  }
}

function copyNamed(client: Client, { restore }: RestoreJob, name: string): KubeObject {
  const copy = client.get(
    'volumesnapshots.snapshot.storage.k8s.io',
    restore.metadata.namespace,
    name,
  )
  if (!copy) throw retryableError(`missing volumeSnapshot ${name}`)
  return copy
}

/** The size of the original PVC, or the restore size of the snapshot when that is larger. */
function sizeFor(copy: KubeObject, original: JsonMap): JsonMap {
  const { restoreSize } = read.status(copy)
  const resources = read.map(read.at(original, 'spec', 'resources'))
  const requests = read.map(resources.requests)
  const isLarger = (numberOf(restoreSize) ?? 0) > (numberOf(requests.storage) ?? 0)
  return { ...resources, requests: { ...requests, ...(isLarger ? { storage: restoreSize } : {}) } }
}

interface Marks {
  labels: Record<string, string>
  annotations: Record<string, string>
}

function marksOf({ restore, vm, content }: RestoreJob, entry: JsonMap, original: JsonMap): Marks {
  const source = read.map(copiedVm(content).metadata)
  const override = read
    .maps(read.spec(restore).volumeRestoreOverrides)
    .find(({ volumeName }) => volumeName === entry.volumeName)
  const { 'persistent-state-for': _backend, ...labels } = textMap(
    read.at(original, 'metadata', 'labels'),
  )
  const ownAnnotations = Object.entries(
    textMap(read.at(original, 'metadata', 'annotations')),
  ).filter(
    ([key]) =>
      key === 'cdi.kubevirt.io/storage.contentType' ||
      !foreignPrefixes.some((prefix) => key.startsWith(prefix)),
  )
  const owners = read.maps(read.at(original, 'metadata', 'ownerReferences'))
  const goesToVm =
    !vm &&
    !keepsNoOwner(restore) &&
    owners.some(({ kind, uid }) => kind === 'VirtualMachine' && uid === source.uid)
  return {
    labels: {
      ...labels,
      'restore.kubevirt.io/source-vm-name': read.text(source.name),
      'restore.kubevirt.io/source-vm-namespace': read.text(source.namespace),
      ...textMap(override?.labels),
    },
    annotations: {
      ...Object.fromEntries(ownAnnotations),
      [restoreNameKey]: restore.metadata.name,
      ...lastRestoreAnnotation(restore),
      ...textMap(override?.annotations),
      ...(entry.dataVolumeName === undefined
        ? {}
        : { [populatedForKey]: read.text(entry.dataVolumeName) }),
      ...(goesToVm && entry.dataVolumeName === undefined
        ? { [ownedByVmKey]: restore.metadata.name }
        : {}),
    },
  }
}

const textMap = (value: JsonMap[string]): Record<string, string> =>
  Object.fromEntries(Object.entries(read.map(value)).map(([key, each]) => [key, String(each)]))
