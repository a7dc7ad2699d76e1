import { numberOf } from '../../quantity.ts'
import { clock } from '../../clock.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Client } from '../client.ts'
import { hasFinalizer, isDeleted, withFinalizer } from '../finalizers.ts'
import { filled, read } from '../../objects/read.ts'
import { claim } from '../../objects/storage/claim.ts'
import { content as bytes } from './content.ts'
import { names } from '../../objects/storage/names.ts'

const sourceFinalizer = 'snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection'
const boundFinalizer = 'snapshot.storage.kubernetes.io/volumesnapshot-bound-protection'
const contentFinalizer = 'snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection'
const claimFinalizer = 'snapshot.storage.kubernetes.io/pvc-as-source-protection'

/**
 * The snapshot controller: copies the volume of a PVC for each VolumeSnapshot, and deletes the copy
 * with it. Each reconcile makes one write.
 */
export const volumeSnapshots: Controller = {
  name: 'snapshot-controller',
  fieldManager: 'snapshot-controller',
  sources: [
    { kind: names.snapshots, keysOf: ownKey },
    // While another snapshot of the PVC is open, only the content reports that the copy exists.
    { kind: names.contents, keysOf: (content) => [keyOfRef(content)] },
    {
      kind: names.claims,
      keysOf: (object, client) =>
        client.list(names.snapshots, object.metadata.namespace).filter(isOpen).flatMap(ownKey),
    },
  ],
  reconcile(client, { namespace, name }) {
    const snapshot = client.get(names.snapshots, namespace, name)
    if (!snapshot || (!isDeleted(snapshot) && !isOpen(snapshot))) return undefined
    const waitMs = client.remainingMs('snapshotStep', snapshot)
    if (waitMs > 0) return waitMs
    if (isDeleted(snapshot)) end(client, snapshot)
    else step(client, snapshot)
    return undefined
  },
}

function keyOfRef(content: KubeObject): { namespace: string; name: string } {
  const ref = read.map(read.spec(content).volumeSnapshotRef)
  return { namespace: read.text(ref.namespace), name: read.text(ref.name) }
}

const isOpen = (snapshot: KubeObject): boolean => read.status(snapshot).readyToUse !== true

const sourceOf = (client: Client, snapshot: KubeObject): KubeObject | undefined =>
  client.get(names.claims, snapshot.metadata.namespace, sourceNameOf(snapshot))

const contentName = ({ metadata }: KubeObject): string => `snapcontent-${metadata.uid}`

function step(client: Client, snapshot: KubeObject): void {
  if (!hasFinalizer(snapshot, sourceFinalizer))
    return void client.change(names.snapshots, snapshot, withFinalizer(snapshot, sourceFinalizer))
  const source = sourceOf(client, snapshot)
  const content = client.get(names.contents, undefined, contentName(snapshot))
  const status = read.status(snapshot)
  if (content) {
    if (status.boundVolumeSnapshotContentName === undefined) bind(client, snapshot, content)
    else if (!hasFinalizer(snapshot, boundFinalizer))
      client.change(names.snapshots, snapshot, withFinalizer(snapshot, boundFinalizer))
    else complete(client, snapshot, { content, source })
    return
  }
  const why = sourceProblem(client, snapshot, source)
  if (why !== null || !source) return fail(client, snapshot, why ?? '')
  const named = withClass(client, snapshot, source)
  client.change(names.claims, source, withFinalizer(source, claimFinalizer))
  take(client, named, source)
}

function sourceProblem(
  client: Client,
  snapshot: KubeObject,
  source: KubeObject | undefined,
): string | null {
  const where = `snapshot controller failed to update ${snapshot.metadata.name} on API server: `
  if (!source) return `${where}cannot get claim from snapshot`
  const requestedClass = read.spec(snapshot).volumeSnapshotClassName
  if (
    typeof requestedClass === 'string' &&
    !client.get(names.snapshotClasses, undefined, requestedClass)
  ) {
    return `failed to get input parameters to create snapshot ${snapshot.metadata.name}: "failed to retrieve snapshot class ${requestedClass} from the informer: \\"volumesnapshotclass.snapshot.storage.k8s.io \\\\\\"${requestedClass}\\\\\\" not found\\""`
  }
  if (requestedClass === undefined && defaultsFor(client, source).length !== 1) {
    const count = defaultsFor(client, source).length
    return count === 0
      ? 'cannot find default snapshot class'
      : `${count} default snapshot classes were found`
  }
  if (claim.isBound(source)) return null
  return `the PVC ${source.metadata.name} is not yet bound to a PV, will not attempt to take a snapshot`
}

const defaultsFor = (client: Client, source: KubeObject): KubeObject[] =>
  client
    .list(names.snapshotClasses)
    .filter((each) => each.metadata.annotations?.[names.defaultSnapshotClass] === 'true')
    .filter(({ driver }) => driver === claim.classOf(client, source)?.provisioner)

function fail(client: Client, snapshot: KubeObject, why: string): void {
  const message = `Failed to create snapshot content with error ${why}`
  const status = read.status(snapshot)
  if (read.at(status, 'error', 'message') === message) return
  const updated = client.setStatus(names.snapshots, snapshot, {
    ...status,
    readyToUse: false,
    error: { message, time: clock.timestamp() },
  })
  client.record(updated, { type: 'Warning', reason: 'SnapshotContentCreationFailed', message })
}

function withClass(client: Client, snapshot: KubeObject, source: KubeObject): KubeObject {
  if (read.spec(snapshot).volumeSnapshotClassName !== undefined) return snapshot
  const [only] = defaultsFor(client, source)
  const spec = { ...read.spec(snapshot), volumeSnapshotClassName: only?.metadata.name }
  return client.change(names.snapshots, snapshot, { ...snapshot, spec })
}

function take(client: Client, snapshot: KubeObject, source: KubeObject): void {
  const { namespace, name, uid, resourceVersion } = snapshot.metadata
  const className = read.text(read.spec(snapshot).volumeSnapshotClassName)
  const snapshotClass = client.get(names.snapshotClasses, undefined, className)
  bytes.copy(client.world, claim.volumeName(source), contentName(snapshot))
  const content = client.create(names.contents, {
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshotContent',
    metadata: { name: contentName(snapshot), finalizers: [contentFinalizer] },
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
  client.setStatus(names.contents, content, status)
  const message = `Waiting for a snapshot ${namespace}/${name} to be created by the CSI driver.`
  client.record(snapshot, { type: 'Normal', reason: 'CreatingSnapshot', message })
}

function bind(client: Client, snapshot: KubeObject, content: KubeObject): void {
  const { error: _error, ...status } = read.status(snapshot)
  client.setStatus(names.snapshots, snapshot, {
    ...status,
    boundVolumeSnapshotContentName: content.metadata.name,
    readyToUse: false,
  })
}

function complete(
  client: Client,
  snapshot: KubeObject,
  { content, source }: { content: KubeObject; source: KubeObject | undefined },
): void {
  const { namespace, name } = snapshot.metadata
  const size = numberOf(read.status(content).restoreSize) ?? 0
  const updated = client.setStatus(names.snapshots, snapshot, {
    ...read.status(snapshot),
    readyToUse: true,
    creationTime: content.metadata.creationTimestamp,
    restoreSize: binary(size),
  })
  client.record(updated, {
    type: 'Normal',
    reason: 'SnapshotCreated',
    message: `Snapshot ${namespace}/${name} was successfully created by the CSI driver.`,
  })
  client.record(updated, {
    type: 'Normal',
    reason: 'SnapshotReady',
    message: `Snapshot ${namespace}/${name} is ready to use.`,
  })
  if (source) releaseSource(client, updated, source)
}

/** Releases the PVC, unless another snapshot of it is still being taken. */
function releaseSource(client: Client, snapshot: KubeObject, source: KubeObject): void {
  const isInUse = client
    .list(names.snapshots, source.metadata.namespace)
    .some(
      (each) =>
        each.metadata.uid !== snapshot.metadata.uid &&
        isOpen(each) &&
        sourceNameOf(each) === source.metadata.name,
    )
  if (!isInUse) client.release(names.claims, source, claimFinalizer)
}

const sourceNameOf = (snapshot: KubeObject): string =>
  read.text(read.at(snapshot, 'spec', 'source', 'persistentVolumeClaimName'))

/** Formats bytes as a quantity with the largest binary suffix that is exact. */
function binary(bytes: number): string {
  const power = [6, 5, 4, 3, 2, 1].find((each) => bytes > 0 && bytes % 1024 ** each === 0)
  return power === undefined
    ? String(bytes)
    : `${bytes / 1024 ** power}${['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'][power]}`
}

function end(client: Client, snapshot: KubeObject): void {
  const content = client.get(names.contents, undefined, contentName(snapshot))
  if (content && read.spec(content).deletionPolicy !== 'Retain') {
    const marked = isDeleted(content) ? content : client.remove(names.contents, content)
    if (marked) client.release(names.contents, marked, contentFinalizer)
    bytes.erase(client.world, contentName(snapshot))
  }
  // A snapshot that ends before it was ready still holds its PVC.
  const source = sourceOf(client, snapshot)
  if (source) releaseSource(client, snapshot, source)
  const finalizer = hasFinalizer(snapshot, sourceFinalizer) ? sourceFinalizer : boundFinalizer
  client.release(names.snapshots, snapshot, finalizer)
}
