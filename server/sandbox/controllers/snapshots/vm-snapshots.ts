import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Controller, type Key, ownKey } from '../controller.ts'
import { type Client } from '../client.ts'
import { failure, progressing, ready, withConditions } from './conditions.ts'
import { withPartialIndication, withSourceIndications } from './indications.ts'
import { claimToCopy } from './claims.ts'
import { isDeleted, withFinalizer } from '../finalizers.ts'
import { filled, read } from '../../objects/read.ts'
import { contentName, copiedVm, isDeletedWith } from '../../objects/vms/snapshot-content.ts'
import { hasFailed, isEnding, isUnderWay, msLeft } from './snapshot-progress.ts'
import { capturedVm } from './captured-vm.ts'
import { type Source, lock, sourceOf, unlock } from './source.ts'
import { claimOf, claimsOf, volumesOf } from '../../objects/vms/vm-volumes.ts'

const snapshots = 'virtualmachinesnapshots.snapshot.kubevirt.io'
const contents = 'virtualmachinesnapshotcontents.snapshot.kubevirt.io'
const finalizer = 'snapshot.kubevirt.io/vmsnapshot-protection'

const ofVm = ({ metadata: { namespace, name } }: KubeObject, client: Client): Key[] =>
  client
    .list(snapshots, namespace)
    .filter((snapshot) => read.at(snapshot, 'spec', 'source', 'name') === name)
    .flatMap(ownKey)

/** A change of volumes or pods may make the source of a waiting snapshot ready. */
const waitingIn = ({ metadata: { namespace } }: KubeObject, client: Client): Key[] =>
  client.list(snapshots, namespace).filter(isUnderWay).flatMap(ownKey)

/**
 * Takes snapshots of VMs: locks the VM, stores its spec in a content, and leaves the volumes to the
 * content controller.
 */
export const vmSnapshots: Controller = {
  name: 'vmsnapshot-controller',
  sources: [
    { kind: snapshots, keysOf: ownKey },
    {
      kind: contents,
      keysOf: (content) => [
        {
          namespace: content.metadata.namespace,
          name: read.text(read.spec(content).virtualMachineSnapshotName),
        },
      ],
    },
    { kind: 'virtualmachines.kubevirt.io', keysOf: ofVm },
    { kind: 'virtualmachineinstances.kubevirt.io', keysOf: ofVm },
    { kind: 'persistentvolumeclaims', keysOf: waitingIn },
    { kind: 'datavolumes.cdi.kubevirt.io', keysOf: waitingIn },
    { kind: 'pods', keysOf: waitingIn },
  ],
  reconcile(client, { namespace, name }) {
    const snapshot = client.get(snapshots, namespace, name)
    return snapshot ? advance(client, snapshot) : undefined
  },
}

function advance(client: Client, original: KubeObject): number | undefined {
  const snapshot = isEnding(original)
    ? original
    : client.change(snapshots, original, withFinalizer(original, finalizer))
  const found = sourceOf(client, snapshot)
  const source = found && original.status !== undefined ? proceed(client, snapshot, found) : found
  if (isEnding(snapshot)) dropContent(client, snapshot)
  const updated = client.setStatus(snapshots, snapshot, statusFor(client, snapshot, source))
  const isFree = source === null || !source.locked
  if (!isDeleted(updated))
    return isUnderWay(updated) ? msUntilNext(client, updated, isFree) : undefined
  if (isFree) client.release(snapshots, updated, finalizer)
  return undefined
}

function dropContent(client: Client, snapshot: KubeObject): void {
  const content = contentOf(client, snapshot)
  if (content && !isDeleted(content) && isDeletedWith(snapshot, content))
    client.remove(contents, content)
}

function msUntilNext(client: Client, snapshot: KubeObject, isFree: boolean): number | undefined {
  const waits = [msLeft(snapshot), isFree ? client.world.pace.msOf('snapshotRetry') : null].filter(
    (ms) => ms !== null,
  )
  // One millisecond later the deadline has passed for certain.
  return waits.length > 0 ? Math.max(0, Math.min(...waits)) + 1 : undefined
}

/** Locks the source, creates the content, and unlocks the source at the end. */
function proceed(client: Client, snapshot: KubeObject, source: Source): Source {
  const content = contentOf(client, snapshot)
  if (isUnderWay(snapshot) && !isEnding(snapshot)) {
    if (!source.locked) return lock(client, snapshot, source)
    if (!content) createContent(client, snapshot, source)
    return source
  }
  const isFree = !isUnderWay(snapshot) || !content || !isDeletedWith(snapshot, content)
  if (!isFree) return source
  unlock(client, snapshot, source)
  return { ...source, locked: false }
}

const contentOf = (client: Client, snapshot: KubeObject): KubeObject | undefined =>
  client.get(contents, snapshot.metadata.namespace, contentName(snapshot))

function createContent(client: Client, snapshot: KubeObject, source: Source): void {
  const { namespace = '', name, uid } = snapshot.metadata
  const backups = claimsOf(source.vm).flatMap(({ volume, claim }) => {
    const object = claimToCopy(client, namespace, claim)
    return object ? [backupOf(object, volume, `vmsnapshot-${uid}-volume-${volume}`)] : []
  })
  const content = client.create(contents, {
    apiVersion: 'snapshot.kubevirt.io/v1beta1',
    kind: 'VirtualMachineSnapshotContent',
    metadata: {
      name: contentName(snapshot),
      namespace,
      finalizers: ['snapshot.kubevirt.io/vmsnapshotcontent-protection'],
    },
    spec: filled({
      source: { virtualMachine: capturedVm(client, source) },
      virtualMachineSnapshotName: name,
      volumeBackups: backups.length > 0 ? backups : undefined,
    }),
  })
  const message = `Successfully created VirtualMachineSnapshotContent ${content.metadata.name}`
  client.record(snapshot, {
    type: 'Normal',
    reason: 'SuccessfulVirtualMachineSnapshotContentCreate',
    message,
  })
}

function backupOf(claim: KubeObject, volumeName: string, volumeSnapshotName: string): JsonMap {
  const { managedFields: _fields, ...metadata } = claim.metadata
  return {
    persistentVolumeClaim: { metadata, spec: read.spec(claim) },
    volumeName,
    volumeSnapshotName,
  }
}

function statusFor(client: Client, snapshot: KubeObject, source: Source | null): JsonMap {
  const content = contentOf(client, snapshot)
  const observed = filled({
    readyToUse: false,
    ...read.status(snapshot),
    ...(source ? { sourceUID: source.vm.metadata.uid } : {}),
    ...(content?.status === undefined ? {} : contentStatus(content)),
  })
  const status = withPhase({ ...snapshot, status: observed }, source, content)
  const isReady = status.readyToUse === true
  const conditions = withConditions(
    status.conditions,
    isReady ? ready('True', 'Ready') : ready('False', 'Not ready'),
  )
  return {
    ...status,
    conditions:
      status.error === undefined
        ? conditions
        : withConditions(conditions, progressing('False', 'In error state')),
  }
}

function contentStatus(content: KubeObject): JsonMap {
  const { creationTime, readyToUse, error } = read.status(content)
  return {
    virtualMachineSnapshotContentName: content.metadata.name,
    creationTime,
    readyToUse,
    error,
  }
}

function withPhase(
  snapshot: KubeObject,
  source: Source | null,
  content: KubeObject | undefined,
): JsonMap {
  const status = read.status(snapshot)
  const { conditions } = status
  if (hasFailed(snapshot)) {
    const updated = withConditions(
      conditions,
      failure('snapshot deadline exceeded'),
      progressing('False', 'Operation failed'),
    )
    return { ...status, phase: 'Failed', conditions: updated }
  }
  if (status.phase === 'Succeeded' || status.creationTime !== undefined) {
    const done = {
      ...status,
      phase: 'Succeeded',
      conditions: withConditions(conditions, progressing('False', 'Operation complete')),
    }
    return content ? withVolumes(done, content) : done
  }
  const lockText = source
    ? progressing(source.locked ? 'True' : 'False', source.lockText)
    : progressing('False', 'Source does not exist')
  const indicated = source ? withSourceIndications(status, source) : status
  if (!isDeleted(snapshot))
    return { ...indicated, phase: 'InProgress', conditions: withConditions(conditions, lockText) }
  return {
    ...indicated,
    phase: 'Deleting',
    conditions: withConditions(conditions, progressing('False', 'VM snapshot is deleting')),
  }
}

/**
 * Lists included and excluded volumes. An excluded volume that has a PVC makes the snapshot
 * partial.
 */
function withVolumes(status: JsonMap, content: KubeObject): JsonMap {
  const volumes = volumesOf(copiedVm(content))
  const backedUp = read.maps(read.spec(content).volumeBackups).map(({ volumeName }) => volumeName)
  const isIncluded = ({ name }: JsonMap): boolean => backedUp.includes(name)
  const names = (list: JsonMap[]): string[] | undefined =>
    list.length > 0 ? list.map(({ name }) => read.text(name)) : undefined
  const excluded = volumes.filter((volume) => !isIncluded(volume))
  const snapshotVolumes = filled({
    excludedVolumes: names(excluded),
    includedVolumes: names(volumes.filter(isIncluded)),
  })
  const listed = { ...status, snapshotVolumes }
  return excluded.some((volume) => claimOf(volume) !== null)
    ? withPartialIndication(listed)
    : listed
}
