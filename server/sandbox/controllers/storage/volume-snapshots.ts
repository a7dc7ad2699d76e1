import { numberOf } from '../../quantity.ts'
import { clock } from '../../clock.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Desk } from '../desk.ts'
import { hasFinalizer, isDeleted, withFinalizer } from '../holds.ts'
import { filled, read } from '../../objects/read.ts'
import { claim } from '../../objects/storage/claim.ts'
import { content as bytes } from './content.ts'
import { names } from '../../objects/storage/names.ts'

const asSource = 'snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection'
const bound = 'snapshot.storage.kubernetes.io/volumesnapshot-bound-protection'
const contentBound = 'snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection'
const claimHeld = 'snapshot.storage.kubernetes.io/pvc-as-source-protection'

/**
 * The snapshot controller: copies the volume of a PVC for each VolumeSnapshot, and deletes the copy
 * with it. Each reconcile makes one write.
 */
export const volumeSnapshots: Controller = {
  name: 'snapshot-controller',
  program: 'snapshot-controller',
  sources: [
    { kind: names.snapshots, keysOf: ownKey },
    // While another snapshot of the PVC is open, only the content reports that the copy exists.
    { kind: names.contents, keysOf: (content) => [keyOfRef(content)] },
    {
      kind: names.claims,
      keysOf: (object, desk) =>
        desk.list(names.snapshots, object.metadata.namespace).filter(isOpen).flatMap(ownKey),
    },
  ],
  reconcile(desk, { namespace, name }) {
    const snapshot = desk.get(names.snapshots, namespace, name)
    if (!snapshot || (!isDeleted(snapshot) && !isOpen(snapshot))) return undefined
    const waitMs = desk.remainingMs('snapshotStep', snapshot)
    if (waitMs > 0) return waitMs
    if (isDeleted(snapshot)) end(desk, snapshot)
    else step(desk, snapshot)
    return undefined
  },
}

function keyOfRef(content: KubeObject): { namespace: string; name: string } {
  const ref = read.map(read.spec(content).volumeSnapshotRef)
  return { namespace: read.text(ref.namespace), name: read.text(ref.name) }
}

const isOpen = (snapshot: KubeObject): boolean => read.status(snapshot).readyToUse !== true

const contentName = ({ metadata }: KubeObject): string => `snapcontent-${metadata.uid}`

function step(desk: Desk, snapshot: KubeObject): void {
  if (!hasFinalizer(snapshot, asSource))
    return void desk.change(names.snapshots, snapshot, withFinalizer(snapshot, asSource))
  const source = desk.get(
    names.claims,
    snapshot.metadata.namespace,
    read.text(read.at(snapshot, 'spec', 'source', 'persistentVolumeClaimName')),
  )
  const content = desk.get(names.contents, undefined, contentName(snapshot))
  const status = read.status(snapshot)
  if (content) {
    if (status.boundVolumeSnapshotContentName === undefined) bind(desk, snapshot, content)
    else if (!hasFinalizer(snapshot, bound))
      desk.change(names.snapshots, snapshot, withFinalizer(snapshot, bound))
    else complete(desk, snapshot, { content, source })
    return
  }
  const why = troubleWith(desk, snapshot, source)
  if (why !== null || !source) return fail(desk, snapshot, why ?? '')
  const named = withClass(desk, snapshot, source)
  desk.change(names.claims, source, withFinalizer(source, claimHeld))
  take(desk, named, source)
}

function troubleWith(
  desk: Desk,
  snapshot: KubeObject,
  source: KubeObject | undefined,
): string | null {
  const where = `snapshot controller failed to update ${snapshot.metadata.name} on API server: `
  if (!source) return `${where}cannot get claim from snapshot`
  const given = read.spec(snapshot).volumeSnapshotClassName
  if (typeof given === 'string' && !desk.get(names.snapshotClasses, undefined, given)) {
    return `failed to get input parameters to create snapshot ${snapshot.metadata.name}: "failed to retrieve snapshot class ${given} from the informer: \\"volumesnapshotclass.snapshot.storage.k8s.io \\\\\\"${given}\\\\\\" not found\\""`
  }
  if (given === undefined && defaultsFor(desk, source).length !== 1) {
    const count = defaultsFor(desk, source).length
    return count === 0
      ? 'cannot find default snapshot class'
      : `${count} default snapshot classes were found`
  }
  if (claim.isBound(source)) return null
  return `the PVC ${source.metadata.name} is not yet bound to a PV, will not attempt to take a snapshot`
}

const defaultsFor = (desk: Desk, source: KubeObject): KubeObject[] =>
  desk
    .list(names.snapshotClasses)
    .filter((each) => each.metadata.annotations?.[names.defaultSnapshotClass] === 'true')
    .filter(({ driver }) => driver === claim.classOf(desk, source)?.provisioner)

function fail(desk: Desk, snapshot: KubeObject, why: string): void {
  const message = `Failed to create snapshot content with error ${why}`
  const status = read.status(snapshot)
  if (read.at(status, 'error', 'message') === message) return
  const told = desk.setStatus(names.snapshots, snapshot, {
    ...status,
    readyToUse: false,
    error: { message, time: clock.timestamp() },
  })
  desk.record(told, { type: 'Warning', reason: 'SnapshotContentCreationFailed', message })
}

function withClass(desk: Desk, snapshot: KubeObject, source: KubeObject): KubeObject {
  if (read.spec(snapshot).volumeSnapshotClassName !== undefined) return snapshot
  const [only] = defaultsFor(desk, source)
  const spec = { ...read.spec(snapshot), volumeSnapshotClassName: only?.metadata.name }
  return desk.change(names.snapshots, snapshot, { ...snapshot, spec })
}

function take(desk: Desk, snapshot: KubeObject, source: KubeObject): void {
  const { namespace, name, uid, resourceVersion } = snapshot.metadata
  const className = read.text(read.spec(snapshot).volumeSnapshotClassName)
  const snapshotClass = desk.get(names.snapshotClasses, undefined, className)
  bytes.copy(desk.world, claim.volumeName(source), contentName(snapshot))
  const content = desk.create(names.contents, {
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshotContent',
    metadata: { name: contentName(snapshot), finalizers: [contentBound] },
    spec: filled({
      deletionPolicy: snapshotClass?.deletionPolicy ?? 'Delete',
      driver: snapshotClass?.driver,
      volumeSnapshotClassName: className,
      source: { volumeHandle: claim.volumeName(source) },
      sourceVolumeMode: read.spec(source).volumeMode,
      volumeSnapshotRef: {
        apiVersion: snapshot.apiVersion,
        kind: 'VolumeSnapshot',
        namespace,
        name,
        uid,
        resourceVersion,
      },
    }),
  })
  const status: JsonMap = {
    readyToUse: true,
    restoreSize: claim.capacity(source),
    creationTime: clock.nowMs() * 1_000_000,
    snapshotHandle: contentName(snapshot),
  }
  desk.setStatus(names.contents, content, status)
  const message = `Waiting for a snapshot ${namespace}/${name} to be created by the CSI driver.`
  desk.record(snapshot, { type: 'Normal', reason: 'CreatingSnapshot', message })
}

function bind(desk: Desk, snapshot: KubeObject, content: KubeObject): void {
  const { error: _error, ...status } = read.status(snapshot)
  desk.setStatus(names.snapshots, snapshot, {
    ...status,
    boundVolumeSnapshotContentName: content.metadata.name,
    readyToUse: false,
  })
}

function complete(
  desk: Desk,
  snapshot: KubeObject,
  { content, source }: { content: KubeObject; source: KubeObject | undefined },
): void {
  const { namespace, name } = snapshot.metadata
  const size = numberOf(read.status(content).restoreSize) ?? 0
  const told = desk.setStatus(names.snapshots, snapshot, {
    ...read.status(snapshot),
    readyToUse: true,
    creationTime: content.metadata.creationTimestamp,
    restoreSize: binary(size),
  })
  desk.record(told, {
    type: 'Normal',
    reason: 'SnapshotCreated',
    message: `Snapshot ${namespace}/${name} was successfully created by the CSI driver.`,
  })
  desk.record(told, {
    type: 'Normal',
    reason: 'SnapshotReady',
    message: `Snapshot ${namespace}/${name} is ready to use.`,
  })
  const others = desk
    .list(names.snapshots, namespace)
    .filter(
      (each) =>
        isOpen(each) &&
        read.at(each, 'spec', 'source', 'persistentVolumeClaimName') === source?.metadata.name,
    )
  if (source && others.length === 0) desk.release(names.claims, source, claimHeld)
}

/** Formats bytes as a quantity with the largest binary suffix that is exact. */
function binary(bytes: number): string {
  const power = [6, 5, 4, 3, 2, 1].find((each) => bytes > 0 && bytes % 1024 ** each === 0)
  return power === undefined
    ? String(bytes)
    : `${bytes / 1024 ** power}${['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'][power]}`
}

function end(desk: Desk, snapshot: KubeObject): void {
  const content = desk.get(names.contents, undefined, contentName(snapshot))
  if (content && read.spec(content).deletionPolicy !== 'Retain') {
    const marked = isDeleted(content) ? content : desk.remove(names.contents, content)
    if (marked) desk.release(names.contents, marked, contentBound)
    bytes.erase(desk.world, contentName(snapshot))
  }
  const held = hasFinalizer(snapshot, asSource) ? asSource : bound
  desk.release(names.snapshots, snapshot, held)
}
