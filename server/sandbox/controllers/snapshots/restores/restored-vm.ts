import { lastRestoreAnnotation } from './restore-annotations.ts'
import { jsonPatch } from '../../../apiserver/patches/json-patch.ts'
import { ApiError } from '../../../objects/status.ts'
import { type Json, type JsonMap, type KubeObject, isMap } from '../../../objects/types.ts'
import { filled, read } from '../../../objects/read.ts'
import { type RestoreJob, retryableError, restoresOf, templatesOf } from './restore-job.ts'
import { copiedVm } from '../../../objects/vms/snapshot-content.ts'
import { volumesOf } from '../../../objects/vms/vm-volumes.ts'

/**
 * The VM as it was in the snapshot, with the restored volumes. An existing VM keeps its run
 * strategy; a new one is halted.
 */
export function restoredVm(job: RestoreJob): KubeObject {
  const { restore, vm, content } = job
  const copied = copiedVm(content)
  const template = read.map(read.at(copied, 'spec', 'template'))
  const templates = templatesOf(content).map((each) => renamedTemplate(job, each))
  const { runStrategy: _strategy, running: _running, ...spec } = read.map(copied.spec)
  const restored = filled({
    ...spec,
    ...power(job),
    dataVolumeTemplates: templates.length > 0 ? templates : undefined,
    template: {
      ...template,
      spec: {
        ...read.map(template.spec),
        volumes: volumesOf(copied).flatMap((volume) => restoredVolume(job, volume)),
      },
    },
  })
  if (vm)
    return {
      ...vm,
      metadata: {
        ...vm.metadata,
        annotations: { ...vm.metadata.annotations, ...lastRestoreAnnotation(restore) },
      },
      spec: restored,
    }
  return patched(restore, newVm(job, restored))
}

function power({ vm, content }: RestoreJob): JsonMap {
  const { running, runStrategy } = vm ? read.spec(vm) : read.map(copiedVm(content).spec)
  if (running !== undefined) return { running: false }
  return { runStrategy: vm ? runStrategy : 'Halted' }
}

function newVm({ restore, content }: RestoreJob, spec: JsonMap): KubeObject {
  // A stored object has only strings as labels and annotations.
  const { labels, annotations } = read.map(copiedVm(content).metadata) as Pick<
    KubeObject['metadata'],
    'labels' | 'annotations'
  >
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: {
      name: read.text(read.at(restore, 'spec', 'target', 'name')),
      namespace: restore.metadata.namespace ?? '',
      ...(labels ? { labels } : {}),
      annotations: { ...annotations, ...lastRestoreAnnotation(restore) },
    },
    spec,
  }
}

function renamedTemplate({ restore, content }: RestoreJob, template: JsonMap): JsonMap {
  const name = read.at(template, 'metadata', 'name')
  const volume = volumesOf(copiedVm(content)).find(
    (each) => read.at(each, 'dataVolume', 'name') === name,
  )
  const entry = restoresOf(restore).find(({ volumeName }) => volumeName === volume?.name)
  if (entry?.dataVolumeName === undefined) return template
  return { ...template, metadata: { ...read.map(template.metadata), name: entry.dataVolumeName } }
}

function restoredVolume({ restore }: RestoreJob, volume: JsonMap): JsonMap[] {
  if (volume.memoryDump !== undefined) return []
  const entry = restoresOf(restore).find(({ volumeName }) => volumeName === volume.name)
  if (!entry) return [volume]
  const { persistentVolumeClaim: claim, dataVolumeName } = entry
  if (volume.persistentVolumeClaim !== undefined) {
    return [
      {
        ...volume,
        persistentVolumeClaim: { ...read.map(volume.persistentVolumeClaim), claimName: claim },
      },
    ]
  }
  if (volume.dataVolume === undefined) return [volume]
  if (dataVolumeName !== undefined)
    return [{ ...volume, dataVolume: { ...read.map(volume.dataVolume), name: dataVolumeName } }]
  // Without a template no controller would create the DataVolume again, so the volume refers to the
  // PVC.
  return [{ name: volume.name, persistentVolumeClaim: { claimName: claim } }]
}

/** Applies the patches of the restore to a new VM. */
function patched({ spec }: KubeObject, vm: KubeObject): KubeObject {
  const patches = read.texts(read.at(spec, 'patches'))
  if (patches.length === 0) return vm
  try {
    // The patches reach only spec, labels and annotations, so the result is still a VM.
    return withoutEmptyTexts(
      jsonPatch(vm, JSON.parse(`[${patches.join(',')}]`) as Json),
    ) as KubeObject
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof SyntaxError)) throw error
    throw retryableError(`error patching VM ${vm.metadata.name}: ${error.message}`)
  }
}

/** Removes values that a patch emptied, so that KubeVirt assigns new ones. */
function withoutEmptyTexts(value: Json, key = ''): Json | undefined {
  if (value === '' && ['macAddress', 'serial', 'uuid'].includes(key)) return undefined
  if (Array.isArray(value)) return value.map((each) => withoutEmptyTexts(each) ?? null)
  if (!isMap(value)) return value
  return filled(
    Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        name,
        each === undefined ? each : withoutEmptyTexts(each, name),
      ]),
    ),
  )
}
