import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Desk } from '../desk.ts'
import { hasFinalizer, isDeleted, withFinalizer } from '../holds.ts'
import { filled, read } from '../../objects/read.ts'
import { annotated, claim } from '../../objects/storage/claim.ts'
import { content } from '../storage/content.ts'
import { names } from '../../objects/storage/names.ts'
import { nodeOfCopy } from './clone-node.ts'
import { type Way, originHandle, wayOf } from './clone-ways.ts'
import { handOver } from './hand-over.ts'
import { marks } from './marks.ts'

const hold = 'cdi.kubevirt.io/clonePopulator'
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
      keysOf: (object, desk) => [...ownKey(object), ...targetOf(object, desk)],
    },
    { kind: names.snapshots, keysOf: targetOf },
  ],
  reconcile(desk, { namespace, name }) {
    const target = desk.get(names.claims, namespace, name)
    if (!target || claim.source(target).kind !== 'VolumeCloneSource') return undefined
    const isDone = claim.annotation(target, marks.clonePhase) === 'Succeeded'
    if (isDeleted(target) || isDone) return tidy(desk, target)
    const mustWait =
      claim.waitsForConsumer(desk, target) &&
      claim.annotation(target, marks.immediate) === undefined
    if (!mustWait) advance(desk, target)
    return undefined
  },
}

function targetOf(
  { metadata }: KubeObject,
  desk: Desk,
): { namespace: string | undefined; name: string }[] {
  const uid = metadata.labels?.[ownerLabel]
  if (uid === undefined) return []
  return desk.list(names.claims).flatMap((each) => (each.metadata.uid === uid ? ownKey(each) : []))
}

/**
 * The namespace of the temporary PVC and snapshot: the source's, because only pods there can use
 * the source.
 */
const sideOf = (target: KubeObject): string =>
  claim.annotation(target, marks.sourceNamespace) ?? target.metadata.namespace ?? ''
const sideClaimName = ({ metadata }: KubeObject): string => `tmp-pvc-${metadata.uid}`
const sideSnapshotName = ({ metadata }: KubeObject): string => `tmp-snapshot-${metadata.uid}`

function advance(desk: Desk, target: KubeObject): void {
  const order = desk.get(sources, sideOf(target), read.text(claim.source(target).name))
  if (!order) return
  const origin = read.map(read.spec(order).source)
  const way = wayOf(desk, { origin, namespace: sideOf(target), target })
  if (way === null) return
  if (!hasFinalizer(target, hold)) return begin(desk, target, way)
  const side = desk.get(names.claims, sideOf(target), sideClaimName(target))
  if (side) return follow(desk, target, { side, way, origin })
  const from =
    way === 'snapshot' && origin.kind === 'PersistentVolumeClaim'
      ? snapshotFirst(desk, target, origin)
      : origin
  if (from === null) return
  desk.create(
    names.claims,
    sideClaim(target, { from: way === 'copy' ? null : from, node: nodeOfCopy(desk, target) }),
  )
  mark(desk, target, { ...running, [marks.clonePhase]: phaseWhileCopying[way] })
}

const phaseWhileCopying: Record<Way, string> = {
  copy: 'HostClone',
  'csi-clone': 'CSIClone',
  snapshot: 'SnapshotClone',
}

const running = {
  [marks.running]: 'true',
  [marks.runningMessage]: '',
  [marks.runningReason]: 'Populator is running',
}

const mark = (
  desk: Desk,
  target: KubeObject,
  news: Record<string, string | undefined>,
): KubeObject => desk.change(names.claims, target, annotated(target, news))

function begin(desk: Desk, target: KubeObject, way: Way): void {
  const unbound = { [marks.bound]: 'false', [marks.boundReason]: 'Pending' }
  const marked = annotated(target, {
    ...unbound,
    [marks.clonePhase]: 'Pending',
    [marks.cloneType]: way,
  })
  desk.change(names.claims, target, withFinalizer(marked, hold))
}

/** Creates a snapshot of the source PVC; returns its reference once it is ready, else null. */
function snapshotFirst(desk: Desk, target: KubeObject, origin: JsonMap): JsonMap | null {
  const namespace = sideOf(target)
  const name = sideSnapshotName(target)
  const known = desk.get(names.snapshots, namespace, name)
  if (known)
    return read.status(known).readyToUse === true
      ? { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name }
      : null
  const profile = desk.get(names.profiles, undefined, read.text(read.spec(target).storageClassName))
  const volumeSnapshotClassName = read.text(profile && read.status(profile).snapshotClass)
  const message = `VolumeSnapshotClass selected according to StorageProfile ${volumeSnapshotClassName}`
  desk.record(target, { type: 'Normal', reason: 'VolumeSnapshotClassSelected', message })
  desk.create(names.snapshots, {
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
  mark(desk, target, { ...running, [marks.clonePhase]: 'Snapshot' })
  return null
}

function sideClaim(
  target: KubeObject,
  { from, node }: { from: JsonMap | null; node: string | undefined },
): KubeObject {
  const { accessModes, resources, storageClassName, volumeMode } = read.spec(target)
  const { namespace, name, uid = '', annotations } = target.metadata
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: sideClaimName(target),
      namespace: sideOf(target),
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
        [marks.populatorKind]: 'VolumeCloneSource',
        [marks.immediate]: '',
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

interface Side {
  side: KubeObject
  way: Way
  origin: JsonMap
}

function follow(desk: Desk, target: KubeObject, { side, way, origin }: Side): void {
  if (claim.isBound(target)) return finish(desk, target)
  if (!claim.isBound(side)) return
  const handle = originHandle(desk, sideOf(target), origin)
  if (way === 'copy' && handle !== null) content.copy(desk.world, handle, claim.volumeName(side))
  handOver(desk, side, target)
}

function finish(desk: Desk, target: KubeObject): void {
  mark(desk, target, {
    [marks.running]: 'false',
    [marks.runningReason]: 'Completed',
    [marks.runningMessage]: 'Clone Complete',
    [marks.clonePhase]: 'Succeeded',
    [marks.progress]: '100.0%',
    [marks.bound]: undefined,
    [marks.boundReason]: undefined,
  })
}

/** Deletes the temporary PVC and snapshot, then releases the finalizer of the target. */
function tidy(desk: Desk, target: KubeObject): undefined {
  if (!hasFinalizer(target, hold)) return
  const namespace = sideOf(target)
  const sides = [
    desk.get(names.claims, namespace, sideClaimName(target)),
    desk.get(names.snapshots, namespace, sideSnapshotName(target)),
  ]
  for (const [index, side] of sides.entries()) {
    if (side && !isDeleted(side)) desk.remove(index === 0 ? names.claims : names.snapshots, side)
  }
  desk.release(names.claims, target, hold)
}
