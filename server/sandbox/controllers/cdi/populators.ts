import { type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Client } from '../client.ts'
import { isDeleted } from '../finalizers.ts'
import { controllerOf, ownedBy } from '../owners.ts'
import { filled, read } from '../../objects/read.ts'
import { annotated, claim } from '../../objects/storage/claim.ts'
import { names } from '../../objects/storage/names.ts'
import { rebindVolume } from './rebind-volume.ts'
import { annotationKeys } from './annotation-keys.ts'

const plurals: Readonly<Record<string, string>> = {
  VolumeImportSource: 'volumeimportsources.cdi.kubevirt.io',
  VolumeUploadSource: 'volumeuploadsources.cdi.kubevirt.io',
}

/**
 * Fills a PVC through a temporary one (PVC prime). The prime receives the content, and its volume
 * is then bound to the target.
 */
export const populators: Controller = {
  name: 'import-populator',
  sources: [
    {
      kind: names.claims,
      keysOf: (object) => {
        const owner = controllerOf(object)
        const target =
          owner?.kind === 'PersistentVolumeClaim'
            ? [{ namespace: object.metadata.namespace, name: owner.name }]
            : []
        return [...ownKey(object), ...target]
      },
    },
  ],
  reconcile(client, { namespace, name }) {
    const target = client.get(names.claims, namespace, name)
    if (!target || isDeleted(target) || plurals[read.text(claim.source(target).kind)] === undefined)
      return undefined
    const prime = client.get(names.claims, namespace, primeName(target))
    if (claim.isBound(target)) deleteLostPrime(client, prime)
    else if (prime && !isDeleted(prime)) return follow(client, target, prime)
    else if (!prime) start(client, target)
    return undefined
  },
}

const primeName = ({ metadata }: KubeObject): string => `prime-${metadata.uid}`

/**
 * Creates the PVC prime. A PVC that waits for its first consumer is filled later, unless immediate
 * binding is requested.
 */
function start(client: Client, target: KubeObject): void {
  if (
    claim.waitsForConsumer(client, target) &&
    claim.annotation(target, annotationKeys.immediate) === undefined
  )
    return
  const { kind, name } = claim.source(target)
  const source = client.get(
    plurals[read.text(kind)] ?? '',
    target.metadata.namespace,
    read.text(name),
  )
  if (!source) return
  client.create(names.claims, primeFor(target, source))
  client.change(
    names.claims,
    target,
    annotated(target, { [annotationKeys.prime]: primeName(target) }),
  )
  client.record(target, {
    type: 'Normal',
    reason: 'CreatedPVCPrimeSuccessfully',
    message: 'PVC Prime created successfully',
  })
}

function primeFor(target: KubeObject, source: KubeObject): KubeObject {
  const { namespace } = target.metadata
  const { accessModes, resources, storageClassName, volumeMode } = read.spec(target)
  const node = claim.annotation(target, names.selectedNode)
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: primeName(target),
      ...(namespace === undefined ? {} : { namespace }),
      ownerReferences: [ownedBy(target)],
      labels: { ...names.cdiLabels, 'velero.io/exclude-from-backup': 'true' },
      annotations: {
        'linkerd.io/inject': 'disabled',
        'sidecar.istio.io/inject': 'false',
        [annotationKeys.immediate]: '',
        [annotationKeys.contentType]: 'kubevirt',
        [annotationKeys.preallocation]: 'false',
        [annotationKeys.populatorKind]: source.kind,
        ...(node === undefined ? {} : { [names.selectedNode]: node }),
        ...sourceAnnotations(source),
      },
    },
    spec: filled({ accessModes, resources, storageClassName, volumeMode }),
  }
}

/** The annotations that tell the worker pod which source to fetch. */
function sourceAnnotations(source: KubeObject): Record<string, string> {
  if (source.kind === 'VolumeUploadSource') return { [annotationKeys.uploadTarget]: '' }
  const [kind = 'blank', value] = Object.entries(read.map(read.spec(source).source))[0] ?? []
  if (kind === 'blank') return { [annotationKeys.source]: 'none' }
  const { url, certConfigMap, checksum, insecureSkipVerify } = read.map(value)
  const optional = {
    [annotationKeys.certs]: certConfigMap,
    [annotationKeys.checksum]: checksum,
    [annotationKeys.insecure]: insecureSkipVerify,
  }
  const present = Object.entries(optional).flatMap(([mark, each]) =>
    each === undefined ? [] : [[mark, String(each)] as const],
  )
  return {
    [annotationKeys.endpoint]: read.text(url),
    [annotationKeys.source]: kind,
    ...Object.fromEntries(present),
  }
}

const mirrored = [
  annotationKeys.podPhase,
  annotationKeys.podReady,
  annotationKeys.schedulable,
  annotationKeys.running,
  annotationKeys.runningReason,
  annotationKeys.runningMessage,
  annotationKeys.progress,
]

function follow(client: Client, target: KubeObject, prime: KubeObject): number | undefined {
  const isDone = claim.annotation(prime, annotationKeys.podPhase) === 'Succeeded'
  const mirroredAnnotations = Object.fromEntries(
    mirrored.map((mark) => [mark, claim.annotation(prime, mark)]),
  )
  const updated = client.change(
    names.claims,
    target,
    annotated(target, {
      ...mirroredAnnotations,
      [annotationKeys.podRestarts]: claim.annotation(prime, annotationKeys.podRestarts),
      ...(isDone ? { [annotationKeys.progress]: '100.0%' } : {}),
    }),
  )
  if (!isDone || !claim.isBound(prime)) return undefined
  // The target shows the completed import before the volume is bound to it.
  const waitMs = client.remainingMs('handOver', prime)
  if (waitMs > 0) return waitMs
  if (rebindVolume(client, prime, updated)) succeed(client, target)
  return undefined
}

function succeed(client: Client, target: KubeObject): void {
  client.record(target, {
    type: 'Normal',
    reason: 'importSucceeded',
    message: `Successfully imported into ${target.metadata.name}`,
  })
}

function deleteLostPrime(client: Client, prime: KubeObject | undefined): void {
  if (prime && !isDeleted(prime) && read.status(prime).phase === 'Lost')
    client.remove(names.claims, prime)
}
