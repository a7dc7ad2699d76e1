import { type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Desk } from '../desk.ts'
import { isDeleted } from '../holds.ts'
import { controllerOf, ownedBy } from '../owners.ts'
import { filled, read } from '../../objects/read.ts'
import { annotated, claim } from '../../objects/storage/claim.ts'
import { names } from '../../objects/storage/names.ts'
import { handOver } from './hand-over.ts'
import { marks } from './marks.ts'

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
  reconcile(desk, { namespace, name }) {
    const target = desk.get(names.claims, namespace, name)
    if (!target || isDeleted(target) || plurals[read.text(claim.source(target).kind)] === undefined)
      return undefined
    const prime = desk.get(names.claims, namespace, primeName(target))
    if (claim.isBound(target)) tidy(desk, prime)
    else if (prime && !isDeleted(prime)) return fill(desk, target, prime)
    else if (!prime) start(desk, target)
    return undefined
  },
}

const primeName = ({ metadata }: KubeObject): string => `prime-${metadata.uid}`

/**
 * Creates the PVC prime. A PVC that waits for its first consumer is filled later, unless immediate
 * binding is requested.
 */
function start(desk: Desk, target: KubeObject): void {
  if (
    claim.waitsForConsumer(desk, target) &&
    claim.annotation(target, marks.immediate) === undefined
  )
    return
  const { kind, name } = claim.source(target)
  const source = desk.get(
    plurals[read.text(kind)] ?? '',
    target.metadata.namespace,
    read.text(name),
  )
  if (!source) return
  desk.create(names.claims, primeFor(target, source))
  desk.change(names.claims, target, annotated(target, { [marks.prime]: primeName(target) }))
  desk.record(target, {
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
        [marks.immediate]: '',
        [marks.contentType]: 'kubevirt',
        [marks.preallocation]: 'false',
        [marks.populatorKind]: source.kind,
        ...(node === undefined ? {} : { [names.selectedNode]: node }),
        ...orders(source),
      },
    },
    spec: filled({ accessModes, resources, storageClassName, volumeMode }),
  }
}

/** The annotations that tell the worker pod which source to fetch. */
function orders(source: KubeObject): Record<string, string> {
  if (source.kind === 'VolumeUploadSource') return { [marks.uploadTarget]: '' }
  const [kind = 'blank', value] = Object.entries(read.map(read.spec(source).source))[0] ?? []
  if (kind === 'blank') return { [marks.source]: 'none' }
  const { url, certConfigMap, checksum, insecureSkipVerify } = read.map(value)
  const optional = {
    [marks.certs]: certConfigMap,
    [marks.checksum]: checksum,
    [marks.insecure]: insecureSkipVerify,
  }
  const given = Object.entries(optional).flatMap(([mark, each]) =>
    each === undefined ? [] : [[mark, String(each)] as const],
  )
  return { [marks.endpoint]: read.text(url), [marks.source]: kind, ...Object.fromEntries(given) }
}

const mirrored = [
  marks.podPhase,
  marks.podReady,
  marks.schedulable,
  marks.running,
  marks.runningReason,
  marks.runningMessage,
  marks.progress,
]

function fill(desk: Desk, target: KubeObject, prime: KubeObject): number | undefined {
  const isDone = claim.annotation(prime, marks.podPhase) === 'Succeeded'
  const news = Object.fromEntries(mirrored.map((mark) => [mark, claim.annotation(prime, mark)]))
  const told = desk.change(
    names.claims,
    target,
    annotated(target, {
      ...news,
      [marks.podRestarts]: claim.annotation(prime, marks.podRestarts),
      ...(isDone ? { [marks.progress]: '100.0%' } : {}),
    }),
  )
  if (!isDone || !claim.isBound(prime)) return undefined
  // The target shows the completed import before the volume is bound to it.
  const waitMs = desk.remainingMs('handOver', prime)
  if (waitMs > 0) return waitMs
  if (handOver(desk, prime, told)) succeed(desk, target)
  return undefined
}

function succeed(desk: Desk, target: KubeObject): void {
  desk.record(target, {
    type: 'Normal',
    reason: 'importSucceeded',
    message: `Successfully imported into ${target.metadata.name}`,
  })
}

function tidy(desk: Desk, prime: KubeObject | undefined): void {
  if (prime && !isDeleted(prime) && read.status(prime).phase === 'Lost')
    desk.remove(names.claims, prime)
}
