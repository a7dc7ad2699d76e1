import { numberOf } from '../../quantity.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { ownedBy } from '../owners.ts'
import { filled, read } from '../../objects/read.ts'
import { names } from '../../objects/storage/names.ts'
import { clonedSourceOf } from './clone-source.ts'
import { annotationKeys } from './annotation-keys.ts'

/** Why a DataVolume cannot get its PVC. */
interface Problem {
  reason: 'ErrClaimNotValid'
  message: string
}

export interface PopulatorSource {
  kind: 'VolumeImportSource' | 'VolumeUploadSource' | 'VolumeCloneSource'
  /** The namespace of the source object; for a clone, the namespace of the cloned object. */
  namespace: string
  name: string
  spec: JsonMap
}

/** The share of a file system that CDI reserves beside the disk image. */
const overhead = 0.06

/** The PVC of a DataVolume, with defaults from the StorageProfile of its class. */
export function targetClaim(
  client: Client,
  volume: KubeObject,
  source: PopulatorSource | null,
): KubeObject | Problem {
  const spec = read.spec(volume)
  const rendered = spec.pvc === undefined ? fromProfile(client, volume) : read.map(spec.pvc)
  if (typeof rendered.message === 'string')
    return { reason: 'ErrClaimNotValid', message: rendered.message }
  const ref = source ? { apiGroup: 'cdi.kubevirt.io', kind: source.kind, name: source.name } : null
  const elsewhere: Record<string, string> =
    source && source.namespace !== volume.metadata.namespace
      ? { [annotationKeys.sourceNamespace]: source.namespace }
      : {}
  const { uid = '', namespace, name, labels, annotations } = volume.metadata
  const copied = Object.fromEntries(
    Object.entries(annotations ?? {}).filter(([key]) => !key.includes('kubectl.kubernetes.io')),
  )
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: {
        ...labels,
        'alerts.k8s.io/KubePersistentVolumeFillingUp': 'disabled',
        ...names.cdiLabels,
      },
      annotations: {
        ...copied,
        [annotationKeys.createdFor]: uid,
        ...targetAnnotations(spec),
        ...elsewhere,
      },
      ownerReferences: [ownedBy(volume)],
    },
    spec: { ...filled(rendered), ...(ref ? { dataSource: ref, dataSourceRef: ref } : {}) },
  }
}

const targetAnnotations = (spec: JsonMap): Record<string, string> => ({
  [annotationKeys.contentType]: read.text(spec.contentType) || 'kubevirt',
  [annotationKeys.podRestarts]: '0',
  [annotationKeys.preallocation]: String(spec.preallocation ?? false),
  [annotationKeys.usePopulator]: 'true',
})

function fromProfile(client: Client, volume: KubeObject): JsonMap {
  const storage = read.map(read.spec(volume).storage)
  const className = read.text(storage.storageClassName) || defaultClassOf(client)
  const requestedModes = read.texts(storage.accessModes)
  if (requestedModes.length === 0 && !client.get(names.classes, undefined, className)) {
    return { message: 'PVC spec is missing accessMode and no storageClass to choose profile' }
  }
  const set = preferredSet(client, className, storage)
  const accessModes = requestedModes.length > 0 ? requestedModes : read.texts(set.accessModes)
  if (accessModes.length === 0)
    return { message: `no accessMode specified in StorageProfile ${className}` }
  const volumeMode = read.text(storage.volumeMode) || read.text(set.volumeMode) || 'Filesystem'
  const { resources: _resources, ...rest } = storage
  return filled({
    ...rest,
    accessModes,
    volumeMode,
    storageClassName: className || undefined,
    resources: sized(client, volume, volumeMode),
  })
}

/** A clone without a requested size gets the size of its source. */
function sized(client: Client, volume: KubeObject, volumeMode: string): JsonMap {
  const size = numberOf(read.at(volume, 'spec', 'storage', 'resources', 'requests', 'storage')) ?? 0
  if (size === 0) return { requests: { storage: originSize(client, volume) } }
  return { requests: { storage: String(volumeMode === 'Filesystem' ? withOverhead(size) : size) } }
}

function originSize(client: Client, volume: KubeObject): string {
  const origin = clonedSourceOf(volume)
  if (!origin) return '0'
  const object = client.get(
    origin.kind === 'pvc' ? names.claims : names.snapshots,
    origin.namespace,
    origin.name,
  )
  return String(
    read.at(object, 'status', 'capacity', 'storage') ??
      read.at(object, 'status', 'restoreSize') ??
      '0',
  )
}

function preferredSet(client: Client, className: string, { volumeMode }: JsonMap): JsonMap {
  const profile = client.get(names.profiles, undefined, className)
  const sets = profile ? read.maps(read.status(profile).claimPropertySets) : []
  return sets.find((set) => volumeMode === undefined || set.volumeMode === volumeMode) ?? {}
}

const withOverhead = (bytes: number): number => Math.ceil(bytes * (1 + overhead))

function defaultClassOf(client: Client): string {
  const classes = client.list(names.classes)
  const marked = (name: string): KubeObject | undefined =>
    classes.find(({ metadata }) => metadata.annotations?.[name] === 'true')
  return (
    (marked('storageclass.kubevirt.io/is-default-virt-class') ?? marked(names.defaultClass))
      ?.metadata.name ?? ''
  )
}
