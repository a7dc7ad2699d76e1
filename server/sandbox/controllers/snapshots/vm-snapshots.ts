import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Controller, type Key, ownKey } from '../controller.ts'
import { type Desk } from '../desk.ts'
import { failure, progressing, ready, withConditions } from './conditions.ts'
import { withPartialIndication, withSourceIndications } from './indications.ts'
import { claimToCopy } from './claims.ts'
import { isDeleted, withFinalizer } from '../holds.ts'
import { filled, read } from '../../objects/read.ts'
import { contentName, copiedVm, goesWith } from '../../objects/vms/snapshot-content.ts'
import { hasFailed, isEnding, isUnderWay, msLeft } from './snapshot-progress.ts'
import { copyOf } from './source-copy.ts'
import { type Source, lock, sourceOf, unlock } from './source.ts'
import { claimOf, claimsOf, volumesOf } from '../../objects/vms/vm-volumes.ts'

const snapshots = 'virtualmachinesnapshots.snapshot.kubevirt.io'
const contents = 'virtualmachinesnapshotcontents.snapshot.kubevirt.io'
const finalizer = 'snapshot.kubevirt.io/vmsnapshot-protection'

const ofVm = ({ metadata: { namespace, name } }: KubeObject, desk: Desk): Key[] =>
  desk
    .list(snapshots, namespace)
    .filter((snapshot) => read.at(snapshot, 'spec', 'source', 'name') === name)
    .flatMap(ownKey)

/** A change of volumes or pods may make the source of a waiting snapshot ready. */
const waitingIn = ({ metadata: { namespace } }: KubeObject, desk: Desk): Key[] =>
  desk.list(snapshots, namespace).filter(isUnderWay).flatMap(ownKey)

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
  reconcile(desk, { namespace, name }) {
    const snapshot = desk.get(snapshots, namespace, name)
    return snapshot ? look(desk, snapshot) : undefined
  },
}

function look(desk: Desk, given: KubeObject): number | undefined {
  const snapshot = isEnding(given)
    ? given
    : desk.change(snapshots, given, withFinalizer(given, finalizer))
  const found = sourceOf(desk, snapshot)
  const source = found && given.status !== undefined ? proceed(desk, snapshot, found) : found
  if (isEnding(snapshot)) dropContent(desk, snapshot)
  const said = desk.setStatus(snapshots, snapshot, statusFor(desk, snapshot, source))
  const isFree = source === null || !source.locked
  if (!isDeleted(said)) return isUnderWay(said) ? msUntilNext(desk, said, isFree) : undefined
  if (isFree) desk.release(snapshots, said, finalizer)
  return undefined
}

function dropContent(desk: Desk, snapshot: KubeObject): void {
  const content = contentOf(desk, snapshot)
  if (content && !isDeleted(content) && goesWith(snapshot, content)) desk.remove(contents, content)
}

function msUntilNext(desk: Desk, snapshot: KubeObject, isFree: boolean): number | undefined {
  const waits = [msLeft(snapshot), isFree ? desk.world.pace.msOf('snapshotRetry') : null].filter(
    (ms) => ms !== null,
  )
  // One millisecond later the deadline has passed for certain.
  return waits.length > 0 ? Math.max(0, Math.min(...waits)) + 1 : undefined
}

/** Locks the source, creates the content, and unlocks the source at the end. */
function proceed(desk: Desk, snapshot: KubeObject, source: Source): Source {
  const content = contentOf(desk, snapshot)
  if (isUnderWay(snapshot) && !isEnding(snapshot)) {
    if (!source.locked) return lock(desk, snapshot, source)
    if (!content) createContent(desk, snapshot, source)
    return source
  }
  const isFree = !isUnderWay(snapshot) || !content || !goesWith(snapshot, content)
  if (!isFree) return source
  unlock(desk, snapshot, source)
  return { ...source, locked: false }
}

const contentOf = (desk: Desk, snapshot: KubeObject): KubeObject | undefined =>
  desk.get(contents, snapshot.metadata.namespace, contentName(snapshot))

function createContent(desk: Desk, snapshot: KubeObject, source: Source): void {
  const { namespace = '', name, uid } = snapshot.metadata
  const backups = claimsOf(source.vm).flatMap(({ volume, claim }) => {
    const object = claimToCopy(desk, namespace, claim)
    return object ? [backupOf(object, volume, `vmsnapshot-${uid}-volume-${volume}`)] : []
  })
  const content = desk.create(contents, {
    apiVersion: 'snapshot.kubevirt.io/v1beta1',
    kind: 'VirtualMachineSnapshotContent',
    metadata: {
      name: contentName(snapshot),
      namespace,
      finalizers: ['snapshot.kubevirt.io/vmsnapshotcontent-protection'],
    },
    spec: filled({
      source: { virtualMachine: copyOf(desk, source) },
      virtualMachineSnapshotName: name,
      volumeBackups: backups.length > 0 ? backups : undefined,
    }),
  })
  const message = `Successfully created VirtualMachineSnapshotContent ${content.metadata.name}`
  desk.record(snapshot, {
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

function statusFor(desk: Desk, snapshot: KubeObject, source: Source | null): JsonMap {
  const content = contentOf(desk, snapshot)
  const seen = filled({
    readyToUse: false,
    ...read.status(snapshot),
    ...(source ? { sourceUID: source.vm.metadata.uid } : {}),
    ...(content?.status === undefined ? {} : seenIn(content)),
  })
  const status = withPhase({ ...snapshot, status: seen }, source, content)
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

function seenIn(content: KubeObject): JsonMap {
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
    const said = withConditions(
      conditions,
      failure('snapshot deadline exceeded'),
      progressing('False', 'Operation failed'),
    )
    return { ...status, phase: 'Failed', conditions: said }
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
