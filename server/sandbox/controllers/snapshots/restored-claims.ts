import { isDeepStrictEqual } from 'node:util'
import { type JsonMap, type KubeObject } from '../../apiserver/types.ts'
import { numberOf } from '../../quantity.ts'
import { type Desk } from '../desk.ts'
import { at, controllerOf, filled, isDeleted, mapOf, mapsOf, ownedBy, specOf, statusOf, textOf } from './fields.ts'
import { type RestoreJob, isMarkedBy, keepsNoOwner, markOf, obstacle, restoreNameOn, restoredName, restoresOf } from './restore-job.ts'
import { copiedVm } from './snapshot-state.ts'
import { volumesOf } from './volumes.ts'

const claims = 'persistentvolumeclaims'
const dataVolumes = 'datavolumes.cdi.kubevirt.io'
export const populatedFor = 'cdi.kubevirt.io/storage.populatedFor'
export const ownedByVmAfter = 'restore.kubevirt.io/owned-by-vm'

/** Makes a claim from every volume snapshot; the list of them while that is not done, null when all are there. */
export function restoreClaims(desk: Desk, job: RestoreJob): JsonMap[] | null {
  const known = restoresOf(job.restore)
  const wanted = backupsOf(job).map((backup) => known.find(({ volumeName }) => volumeName === backup.volumeName) ?? entryFor(job, backup))
  if (!isDeepStrictEqual(known, wanted)) return wanted
  const steps = wanted.map((entry) => restoreClaim(desk, job, entry))
  return steps.some(({ isDone }) => !isDone) ? steps.map(({ entry }) => entry) : null
}

/** A memory dump is not brought back. */
function backupsOf({ content }: RestoreJob): JsonMap[] {
  const dumps = volumesOf(copiedVm(content)).filter(({ memoryDump }) => memoryDump !== undefined)
  return mapsOf(specOf(content).volumeBackups).filter(({ volumeName }) => !dumps.some(({ name }) => name === volumeName))
}

function entryFor({ restore }: RestoreJob, backup: JsonMap): JsonMap {
  const volumeName = textOf(backup.volumeName)
  const original = textOf(at(backup, 'persistentVolumeClaim', 'metadata', 'name'))
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

function restoreClaim(desk: Desk, job: RestoreJob, entry: JsonMap): Step {
  const { namespace } = job.restore.metadata
  const claim = desk.get(claims, namespace, textOf(entry.persistentVolumeClaim))
  if (!claim) {
    desk.create(claims, newClaim(desk, job, entry))
    return { entry, isDone: false }
  }
  if (specOf(job.restore).volumeRestorePolicy === 'InPlace' && !isMarkedBy(job.restore, claim)) return makeRoom(desk, job, { entry, claim })
  const { phase = 'Pending' } = statusOf(claim)
  if (phase === 'Pending') return { entry, isDone: waitsForConsumer(desk, claim) }
  if (phase !== 'Bound') throw obstacle(`PVC ${namespace}/${claim.metadata.name} in status "${textOf(phase)}"`)
  return { entry, isDone: true }
}

function waitsForConsumer(desk: Desk, claim: KubeObject): boolean {
  const name = textOf(specOf(claim).storageClassName)
  if (name === '') return false
  const storageClass = desk.get('storageclasses.storage.k8s.io', undefined, name)
  if (!storageClass) throw obstacle(`StorageClass ${name} does not exist`)
  return storageClass.volumeBindingMode === 'WaitForFirstConsumer'
}

/** The old claim goes first; its data volume must not fill the gap meanwhile. */
function makeRoom(desk: Desk, { restore }: RestoreJob, { entry, claim }: { entry: JsonMap; claim: KubeObject }): Step {
  const owner = controllerOf(claim)
  const { namespace } = restore.metadata
  if (owner?.kind === 'DataVolume') {
    if (entry.dataVolumeName === undefined) return { entry: { ...entry, dataVolumeName: owner.name }, isDone: false }
    const volume = desk.get(dataVolumes, namespace, owner.name)
    if (volume) prePopulate(desk, volume, restore)
  }
  if (!isDeleted(claim)) desk.remove(claims, claim)
  return { entry, isDone: false }
}

function prePopulate(desk: Desk, volume: KubeObject, { metadata: { name } }: KubeObject): void {
  const marks = { [restoreNameOn]: name, 'cdi.kubevirt.io/storage.prePopulated': volume.metadata.name }
  desk.change(dataVolumes, volume, {
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

function newClaim(desk: Desk, job: RestoreJob, entry: JsonMap): KubeObject {
  const { restore, content } = job
  const backup = mapsOf(specOf(content).volumeBackups).find(({ volumeName }) => volumeName === entry.volumeName)
  if (!backup) throw obstacle(`volume backup for volume ${textOf(entry.volumeName)} not found`)
  const original = mapOf(backup.persistentVolumeClaim)
  const { accessModes, storageClassName, volumeMode } = mapOf(original.spec)
  const { labels, annotations } = marksOf(job, entry, original)
  const source = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: textOf(backup.volumeSnapshotName) }
  const owner = entry.dataVolumeName === undefined && !keepsNoOwner(restore) ? job.vm : undefined
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: textOf(entry.persistentVolumeClaim),
      namespace: restore.metadata.namespace ?? '',
      ...{ labels, annotations },
      ...(owner ? { ownerReferences: [ownedBy(owner)] } : {}),
    },
    spec: filled({
      ...{ accessModes, storageClassName, volumeMode },
      resources: sizeFor(desk, job, original, source.name),
      dataSource: source,
      dataSourceRef: source,
    }),
  }
}

/** As large as the claim was, or as the snapshot needs. */
function sizeFor(desk: Desk, { restore }: RestoreJob, original: JsonMap, snapshot: string): JsonMap {
  const copy = desk.get('volumesnapshots.snapshot.storage.k8s.io', restore.metadata.namespace, snapshot)
  if (!copy) throw obstacle(`missing volumeSnapshot ${snapshot}`)
  const { restoreSize } = statusOf(copy)
  const resources = mapOf(at(original, 'spec', 'resources'))
  const requests = mapOf(resources.requests)
  const isLarger = (numberOf(restoreSize) ?? 0) > (numberOf(requests.storage) ?? 0)
  return { ...resources, requests: { ...requests, ...(isLarger ? { storage: restoreSize } : {}) } }
}

interface Marks {
  labels: Record<string, string>
  annotations: Record<string, string>
}

function marksOf({ restore, vm, content }: RestoreJob, entry: JsonMap, original: JsonMap): Marks {
  const source = mapOf(copiedVm(content).metadata)
  const override = mapsOf(specOf(restore).volumeRestoreOverrides).find(({ volumeName }) => volumeName === entry.volumeName)
  const { 'persistent-state-for': _backend, ...labels } = textMap(at(original, 'metadata', 'labels'))
  const kept = Object.entries(textMap(at(original, 'metadata', 'annotations'))).filter(
    ([key]) => key === 'cdi.kubevirt.io/storage.contentType' || !foreignPrefixes.some((prefix) => key.startsWith(prefix)),
  )
  const owners = mapsOf(at(original, 'metadata', 'ownerReferences'))
  const goesToVm = !vm && !keepsNoOwner(restore) && owners.some(({ kind, uid }) => kind === 'VirtualMachine' && uid === source.uid)
  return {
    labels: {
      ...labels,
      'restore.kubevirt.io/source-vm-name': textOf(source.name),
      'restore.kubevirt.io/source-vm-namespace': textOf(source.namespace),
      ...textMap(override?.labels),
    },
    annotations: {
      ...Object.fromEntries(kept),
      [restoreNameOn]: restore.metadata.name,
      ...markOf(restore),
      ...textMap(override?.annotations),
      ...(entry.dataVolumeName === undefined ? {} : { [populatedFor]: textOf(entry.dataVolumeName) }),
      ...(goesToVm && entry.dataVolumeName === undefined ? { [ownedByVmAfter]: restore.metadata.name } : {}),
    },
  }
}

const textMap = (value: JsonMap[string]): Record<string, string> =>
  Object.fromEntries(Object.entries(mapOf(value)).map(([key, each]) => [key, String(each)]))
