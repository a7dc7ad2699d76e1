import { isDeepStrictEqual } from 'node:util'
import { type JsonMap, type KubeObject } from '../../apiserver/types.ts'
import { type Desk } from '../desk.ts'
import { at, filled, mapOf, mapsOf, ownedBy, specOf, statusOf, textOf } from './fields.ts'
import {
  type RestoreJob,
  isMarkedBy,
  keepsNoOwner,
  obstacle,
  restoreNameOn,
  restoredName,
  restoresOf,
  templateNamed,
} from './restore-job.ts'
import { ownedByVmAfter, populatedFor } from './restored-claims.ts'
import { restoredVm } from './restored-vm.ts'
import { copiedVm } from './snapshot-state.ts'
import { volumesOf } from './volumes.ts'

const claims = 'persistentvolumeclaims'
const dataVolumes = 'datavolumes.cdi.kubevirt.io'
const vms = 'virtualmachines.kubevirt.io'

/** Brings the VM onto the restored claims; what the restore has to say while that is not done, null when it is. */
export function restoreTarget(desk: Desk, job: RestoreJob): JsonMap | null {
  const { restore, vm } = job
  if (vm && isMarkedBy(restore, vm)) return null
  const restores = restoresOf(restore).map((entry) => withDataVolume(desk, job, entry))
  if (!isDeepStrictEqual(restores, restoresOf(restore))) return { restores }
  const restored = restoredVm(job)
  const templates = mapsOf(specOf(restored).dataVolumeTemplates)
  const waiting = templates.filter((template) => !ensureDataVolume(desk, job, template))
  const deleted = vm ? namesGone(mapsOf(specOf(vm).dataVolumeTemplates), templates) : []
  if (!isDeepStrictEqual(deleted, statusOf(restore).deletedDataVolumes ?? [])) return { deletedDataVolumes: deleted }
  if (waiting.length > 0) return {}
  const target = vm ? desk.change(vms, vm, restored) : desk.create(vms, restored)
  if (!keepsNoOwner(restore)) handOver(desk, restore, target)
  return {}
}

const nameOf = (template: JsonMap): string => textOf(at(template, 'metadata', 'name'))

const namesGone = (before: readonly JsonMap[], after: readonly JsonMap[]): string[] =>
  before.map(nameOf).filter((name) => !after.some((template) => nameOf(template) === name))

/** A volume with a template gets a data volume of its own again, for which its claim is set aside. */
function withDataVolume(desk: Desk, { restore, content }: RestoreJob, entry: JsonMap): JsonMap {
  const volume = volumesOf(copiedVm(content)).find(({ name }) => name === entry.volumeName)
  const original = textOf(at(volume, 'dataVolume', 'name'))
  if (!templateNamed(content, original)) return entry
  const { namespace } = restore.metadata
  const name = restoredName(restore, textOf(entry.volumeName), original)
  const claim = desk.get(claims, namespace, textOf(entry.persistentVolumeClaim))
  if (!claim) throw obstacle(`pvc ${namespace}/${textOf(entry.persistentVolumeClaim)} does not exist and should`)
  if (claim.metadata.annotations?.[populatedFor] !== name) {
    const { ownerReferences: _vm, ...metadata } = claim.metadata
    desk.change(claims, claim, { ...claim, metadata: { ...metadata, annotations: { ...metadata.annotations, [populatedFor]: name } } })
  }
  return { ...entry, dataVolumeName: name }
}

const settled = ['Succeeded', 'WaitForFirstConsumer', 'PendingPopulation']

/** Whether the VM could do with what is there; a data volume that is missing is made around its claim. */
function ensureDataVolume(desk: Desk, { restore }: RestoreJob, template: JsonMap): boolean {
  const { namespace = '' } = restore.metadata
  const name = nameOf(template)
  const known = desk.get(dataVolumes, namespace, name)
  if (known) return settled.includes(textOf(statusOf(known).phase))
  const claim = desk.get(claims, namespace, name)
  if (!claim) throw obstacle(`when creating restore dv pvc ${namespace}/${name} does not exist and should`)
  if (claim.metadata.annotations?.[populatedFor] !== name || (claim.metadata.ownerReferences ?? []).length > 0) return true
  desk.create(dataVolumes, dataVolumeFrom(restore, template))
  return false
}

function dataVolumeFrom({ metadata }: KubeObject, template: JsonMap): KubeObject {
  // The template of a stored VM, whose labels and annotations are texts.
  const { labels, annotations } = mapOf(template.metadata) as Pick<KubeObject['metadata'], 'labels' | 'annotations'>
  const marks = {
    'cdi.kubevirt.io/allowClaimAdoption': 'true',
    'cdi.kubevirt.io/storage.prePopulated': 'true',
    [restoreNameOn]: metadata.name,
  }
  return {
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'DataVolume',
    metadata: {
      name: nameOf(template),
      namespace: metadata.namespace ?? '',
      ...(labels ? { labels } : {}),
      annotations: { ...annotations, ...marks },
    },
    spec: template.spec,
  }
}

/** Claims that belonged to the VM belong to the new one. */
function handOver(desk: Desk, restore: KubeObject, vm: KubeObject): void {
  for (const volume of volumesOf(vm)) {
    const claim = desk.get(claims, vm.metadata.namespace, textOf(at(volume, 'persistentVolumeClaim', 'claimName')))
    if (!claim || (claim.metadata.ownerReferences ?? []).length > 0) continue
    const { [ownedByVmAfter]: mark, ...annotations } = claim.metadata.annotations ?? {}
    if (mark !== restore.metadata.name) continue
    desk.change(claims, claim, { ...claim, metadata: { ...claim.metadata, annotations, ownerReferences: [ownedBy(vm)] } })
  }
}

/** Marks the VM as being restored; nobody starts it meanwhile. */
export function markInProgress(desk: Desk, restore: KubeObject, vm: KubeObject): KubeObject {
  const { restoreInProgress } = statusOf(vm)
  const { name } = restore.metadata
  if (isMarkedBy(restore, vm) || restoreInProgress === name) return vm
  if (restoreInProgress !== undefined) throw obstacle(`vm restore ${textOf(restoreInProgress)} in progress`)
  return desk.setStatus(vms, vm, { ...statusOf(vm), restoreInProgress: name })
}

export function unmarkInProgress(desk: Desk, restore: KubeObject, vm: KubeObject): void {
  const { restoreInProgress, memoryDumpRequest: _dump, ...status } = statusOf(vm)
  if (restoreInProgress === restore.metadata.name) desk.setStatus(vms, vm, filled(status))
}
