import { isDeepStrictEqual } from 'node:util'
import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { type Client } from '../../client.ts'
import { ownedByVmKey, populatedForKey } from './restored-claims.ts'
import { restoredVm } from './restored-vm.ts'
import { ownedBy } from '../../owners.ts'
import { filled, read } from '../../../objects/read.ts'
import {
  type RestoreJob,
  keepsNoOwner,
  retryableError,
  restoresOf,
  templatesOf,
} from './restore-job.ts'
import { isRestoredBy, restoreNameKey, restoredName } from './restore-annotations.ts'
import { copiedVm } from '../../../objects/vms/snapshot-content.ts'
import { volumesOf } from '../../../objects/vms/vm-volumes.ts'

const claims = 'persistentvolumeclaims'
const dataVolumes = 'datavolumes.cdi.kubevirt.io'
const vms = 'virtualmachines.kubevirt.io'

/**
 * Switches the VM to the restored PVCs. Returns status changes while that is not done, else null.
 */
export function restoreTarget(client: Client, job: RestoreJob): JsonMap | null {
  const { restore, vm } = job
  if (vm && isRestoredBy(restore, vm)) return null
  const restores = restoresOf(restore).map((entry) => withDataVolume(client, job, entry))
  if (!isDeepStrictEqual(restores, restoresOf(restore))) return { restores }
  const restored = restoredVm(job)
  const templates = read.maps(read.spec(restored).dataVolumeTemplates)
  const waiting = templates.filter((template) => !ensureDataVolume(client, job, template))
  const deleted = vm ? namesGone(read.maps(read.spec(vm).dataVolumeTemplates), templates) : []
  if (!isDeepStrictEqual(deleted, read.status(restore).deletedDataVolumes ?? []))
    return { deletedDataVolumes: deleted }
  if (waiting.length > 0) return {}
  const target = vm ? client.change(vms, vm, restored) : client.create(vms, restored)
  if (!keepsNoOwner(restore)) handOver(client, restore, target)
  return {}
}

const nameOf = (template: JsonMap): string => read.text(read.at(template, 'metadata', 'name'))

const namesGone = (before: readonly JsonMap[], after: readonly JsonMap[]): string[] =>
  before.map(nameOf).filter((name) => !after.some((template) => nameOf(template) === name))

const templateNamed = (content: KubeObject, name: string): JsonMap | undefined =>
  templatesOf(content).find((template) => nameOf(template) === name)

/** Reserves the PVC of a templated volume for the DataVolume that will adopt it. */
function withDataVolume(client: Client, { restore, content }: RestoreJob, entry: JsonMap): JsonMap {
  const volume = volumesOf(copiedVm(content)).find(({ name }) => name === entry.volumeName)
  const original = read.text(read.at(volume, 'dataVolume', 'name'))
  if (!templateNamed(content, original)) return entry
  const { namespace } = restore.metadata
  const name = restoredName(restore, read.text(entry.volumeName), original)
  const claim = client.get(claims, namespace, read.text(entry.persistentVolumeClaim))
  if (!claim)
    throw retryableError(
      `pvc ${namespace}/${read.text(entry.persistentVolumeClaim)} does not exist and should`,
    )
  if (claim.metadata.annotations?.[populatedForKey] !== name) {
    const { ownerReferences: _vm, ...metadata } = claim.metadata
    client.change(claims, claim, {
      ...claim,
      metadata: { ...metadata, annotations: { ...metadata.annotations, [populatedForKey]: name } },
    })
  }
  return { ...entry, dataVolumeName: name }
}

const settled = ['Succeeded', 'WaitForFirstConsumer', 'PendingPopulation']

/** True when the DataVolume is usable. A missing one is created around its existing PVC. */
function ensureDataVolume(client: Client, { restore }: RestoreJob, template: JsonMap): boolean {
  const { namespace = '' } = restore.metadata
  const name = nameOf(template)
  const known = client.get(dataVolumes, namespace, name)
  if (known) return settled.includes(read.text(read.status(known).phase))
  const claim = client.get(claims, namespace, name)
  if (!claim)
    throw retryableError(
      `when creating restore dv pvc ${namespace}/${name} does not exist and should`,
    )
  if (
    claim.metadata.annotations?.[populatedForKey] !== name ||
    (claim.metadata.ownerReferences ?? []).length > 0
  )
    return true
  client.create(dataVolumes, dataVolumeFrom(restore, template))
  return false
}

function dataVolumeFrom({ metadata }: KubeObject, template: JsonMap): KubeObject {
  // The template of a stored VM has only strings as labels and annotations.
  const { labels, annotations } = read.map(template.metadata) as Pick<
    KubeObject['metadata'],
    'labels' | 'annotations'
  >
  const marks = {
    'cdi.kubevirt.io/allowClaimAdoption': 'true',
    'cdi.kubevirt.io/storage.prePopulated': 'true',
    [restoreNameKey]: metadata.name,
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

/** Makes the new VM the owner of PVCs whose originals the source VM owned. */
function handOver(client: Client, restore: KubeObject, vm: KubeObject): void {
  for (const volume of volumesOf(vm)) {
    const claim = client.get(
      claims,
      vm.metadata.namespace,
      read.text(read.at(volume, 'persistentVolumeClaim', 'claimName')),
    )
    if (!claim || (claim.metadata.ownerReferences ?? []).length > 0) continue
    const { [ownedByVmKey]: mark, ...annotations } = claim.metadata.annotations ?? {}
    if (mark !== restore.metadata.name) continue
    client.change(claims, claim, {
      ...claim,
      metadata: { ...claim.metadata, annotations, ownerReferences: [ownedBy(vm)] },
    })
  }
}

/** Marks the VM as being restored, which prevents a start. */
export function markInProgress(client: Client, restore: KubeObject, vm: KubeObject): KubeObject {
  const { restoreInProgress } = read.status(vm)
  const { name } = restore.metadata
  if (isRestoredBy(restore, vm) || restoreInProgress === name) return vm
  if (restoreInProgress !== undefined)
    throw retryableError(`vm restore ${read.text(restoreInProgress)} in progress`)
  return client.setStatus(vms, vm, { ...read.status(vm), restoreInProgress: name })
}

export function unmarkInProgress(client: Client, restore: KubeObject, vm: KubeObject): void {
  const { restoreInProgress, memoryDumpRequest: _dump, ...status } = read.status(vm)
  if (restoreInProgress === restore.metadata.name) client.setStatus(vms, vm, filled(status))
}
