import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Client } from '../client.ts'
import { hasFinalizer, isDeleted, withFinalizer } from '../finalizers.ts'
import { filled, read } from '../../objects/read.ts'
import { annotated, claim } from '../../objects/storage/claim.ts'
import { content } from '../storage/content.ts'
import { names } from '../../objects/storage/names.ts'
import { nodeOfCopy } from './clone-node.ts'
import { type CloneStrategy, sourceHandle, cloneStrategyOf } from './clone-strategy.ts'
import { rebindVolume } from './rebind-volume.ts'
import { annotationKeys } from './annotation-keys.ts'

const finalizer = 'cdi.kubevirt.io/clonePopulator'
const sources = 'volumeclonesources.cdi.kubevirt.io'
const ownerLabel = 'cdi.kubevirt.io/OwnedByUID'

/**
 * Fills a PVC with a copy of a PVC or VolumeSnapshot. A temporary PVC receives the copy, then its
 * volume is bound to the target.
 */
export const clones: Controller = {
  name: 'clone-populator',
  sources: [
    {
      kind: names.claims,
      keysOf: (object, client) => [...ownKey(object), ...targetOf(object, client)],
    },
    { kind: names.snapshots, keysOf: targetOf },
  ],
  reconcile(client, { namespace, name }) {
    const target = client.get(names.claims, namespace, name)
    if (!target || claim.source(target).kind !== 'VolumeCloneSource') return undefined
    const isDone = claim.annotation(target, annotationKeys.clonePhase) === 'Succeeded'
    if (isDeleted(target) || isDone) return cleanUp(client, target)
    const mustWait =
      claim.waitsForConsumer(client, target) &&
      claim.annotation(target, annotationKeys.immediate) === undefined
    if (!mustWait) advance(client, target)
    return undefined
  },
}

function targetOf(
  { metadata }: KubeObject,
  client: Client,
): { namespace: string | undefined; name: string }[] {
  const uid = metadata.labels?.[ownerLabel]
  if (uid === undefined) return []
  return client
    .list(names.claims)
    .flatMap((each) => (each.metadata.uid === uid ? ownKey(each) : []))
}

/**
 * The namespace of the temporary PVC and snapshot: the source's, because only pods there can use
 * the source.
 */
const temporaryNamespace = (target: KubeObject): string =>
  claim.annotation(target, annotationKeys.sourceNamespace) ?? target.metadata.namespace ?? ''
const temporaryClaimName = ({ metadata }: KubeObject): string => `tmp-pvc-${metadata.uid}`
const temporarySnapshotName = ({ metadata }: KubeObject): string => `tmp-snapshot-${metadata.uid}`

function advance(client: Client, target: KubeObject): void {
  const cloneSource = client.get(
    sources,
    temporaryNamespace(target),
    read.text(claim.source(target).name),
  )
  if (!cloneSource) return
  const origin = read.map(read.spec(cloneSource).source)
  const strategy = cloneStrategyOf(client, {
    origin,
    namespace: temporaryNamespace(target),
    target,
  })
  if (strategy === null) return
  if (!hasFinalizer(target, finalizer)) return initialize(client, target, strategy)
  const temporary = client.get(names.claims, temporaryNamespace(target), temporaryClaimName(target))
  if (temporary) return follow(client, target, { temporary, strategy, origin })
  const from =
    strategy === 'snapshot' && origin.kind === 'PersistentVolumeClaim'
      ? sourceFromSnapshot(client, target, origin)
      : origin
  if (from === null) return
  client.create(
    names.claims,
    temporaryClaim(target, {
      from: strategy === 'copy' ? null : from,
      node: nodeOfCopy(client, target),
    }),
  )
  mark(client, target, { ...running, [annotationKeys.clonePhase]: phaseWhileCopying[strategy] })
}

const phaseWhileCopying: Record<CloneStrategy, string> = {
  copy: 'HostClone',
  'csi-clone': 'CSIClone',
  snapshot: 'SnapshotClone',
}

const running = {
  [annotationKeys.running]: 'true',
  [annotationKeys.runningMessage]: '',
  [annotationKeys.runningReason]: 'Populator is running',
}

const mark = (
  client: Client,
  target: KubeObject,
  changes: Record<string, string | undefined>,
): KubeObject => client.change(names.claims, target, annotated(target, changes))

function initialize(client: Client, target: KubeObject, strategy: CloneStrategy): void {
  const unbound = { [annotationKeys.bound]: 'false', [annotationKeys.boundReason]: 'Pending' }
  const marked = annotated(target, {
    ...unbound,
    [annotationKeys.clonePhase]: 'Pending',
    [annotationKeys.cloneType]: strategy,
  })
  client.change(names.claims, target, withFinalizer(marked, finalizer))
}

/** Creates a snapshot of the source PVC; returns its reference once it is ready, else null. */
function sourceFromSnapshot(client: Client, target: KubeObject, origin: JsonMap): JsonMap | null {
  const namespace = temporaryNamespace(target)
  const name = temporarySnapshotName(target)
  const existing = client.get(names.snapshots, namespace, name)
  if (existing)
    return read.status(existing).readyToUse === true
      ? { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name }
      : null
  const profile = client.get(
    names.profiles,
    undefined,
    read.text(read.spec(target).storageClassName),
  )
  const volumeSnapshotClassName = read.text(profile && read.status(profile).snapshotClass)
  const message = `VolumeSnapshotClass selected according to StorageProfile ${volumeSnapshotClassName}`
  client.record(target, { type: 'Normal', reason: 'VolumeSnapshotClassSelected', message })
  client.create(names.snapshots, {
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshot',
    metadata: {
      name,
      namespace,
      labels: { app: names.cdiLabels.app, [ownerLabel]: target.metadata.uid ?? '' },
    },
    spec: {
      source: { persistentVolumeClaimName: read.text(origin.name) },
      volumeSnapshotClassName,
    },
  })
  mark(client, target, { ...running, [annotationKeys.clonePhase]: 'Snapshot' })
  return null
}

function temporaryClaim(
  target: KubeObject,
  { from, node }: { from: JsonMap | null; node: string | undefined },
): KubeObject {
  const { accessModes, resources, storageClassName, volumeMode } = read.spec(target)
  const { namespace, name, uid = '', annotations } = target.metadata
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: temporaryClaimName(target),
      namespace: temporaryNamespace(target),
      labels: {
        ...names.cdiLabels,
        'alerts.k8s.io/KubePersistentVolumeFillingUp': 'disabled',
        [ownerLabel]: uid,
        'velero.io/exclude-from-backup': 'true',
      },
      annotations: {
        ...withoutDriver(annotations),
        'cdi.kubevirt.io/events.source': `${namespace}/${name}`,
        'cdi.kubevirt.io/events.source.kind': 'PersistentVolumeClaim',
        [annotationKeys.populatorKind]: 'VolumeCloneSource',
        [annotationKeys.immediate]: '',
        ...(node === undefined ? {} : { [names.selectedNode]: node }),
      },
    },
    spec: filled({
      accessModes,
      resources,
      storageClassName,
      volumeMode,
      dataSource: from ?? undefined,
      dataSourceRef: from ?? undefined,
    }),
  }
}

/** The binder annotates each PVC with its own CSI driver, so these annotations are not copied. */
const withoutDriver = (annotations: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(annotations).filter(
      ([name]) => name !== names.provisioner && name !== names.betaProvisioner,
    ),
  )

interface TemporaryCopy {
  temporary: KubeObject
  strategy: CloneStrategy
  origin: JsonMap
}

function follow(
  client: Client,
  target: KubeObject,
  { temporary, strategy, origin }: TemporaryCopy,
): void {
  if (claim.isBound(target)) return finish(client, target)
  if (!claim.isBound(temporary)) return
  const handle = sourceHandle(client, temporaryNamespace(target), origin)
  if (strategy === 'copy' && handle !== null)
    content.copy(client.world, handle, claim.volumeName(temporary))
  rebindVolume(client, temporary, target)
}

function finish(client: Client, target: KubeObject): void {
  mark(client, target, {
    [annotationKeys.running]: 'false',
    [annotationKeys.runningReason]: 'Completed',
    [annotationKeys.runningMessage]: 'Clone Complete',
    [annotationKeys.clonePhase]: 'Succeeded',
    [annotationKeys.progress]: '100.0%',
    [annotationKeys.bound]: undefined,
    [annotationKeys.boundReason]: undefined,
  })
}

/** Deletes the temporary PVC and snapshot, then releases the finalizer of the target. */
function cleanUp(client: Client, target: KubeObject): undefined {
  if (!hasFinalizer(target, finalizer)) return
  const namespace = temporaryNamespace(target)
  const temporaries = [
    client.get(names.claims, namespace, temporaryClaimName(target)),
    client.get(names.snapshots, namespace, temporarySnapshotName(target)),
  ]
  for (const [index, temporary] of temporaries.entries()) {
    if (temporary && !isDeleted(temporary))
      client.remove(index === 0 ? names.claims : names.snapshots, temporary)
  }
  client.release(names.claims, target, finalizer)
}
