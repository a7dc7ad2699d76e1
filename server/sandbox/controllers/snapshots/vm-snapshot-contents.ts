import { type Json, type JsonMap, type KubeObject } from '../../objects/types.ts'
import { clock } from '../../clock.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Client } from '../client.ts'
import { snapshotClassFor } from './claims.ts'
import { isDeleted } from '../finalizers.ts'
import { controllerOf, ownedBy } from '../owners.ts'
import { filled, read } from '../../objects/read.ts'
import { contentName, copiedVm, isDeletedWith } from '../../objects/vms/snapshot-content.ts'
import { isEnding } from './snapshot-progress.ts'
import { freeze, unfreeze } from './source-freeze.ts'
import { sourceOf } from './source.ts'

const snapshots = 'virtualmachinesnapshots.snapshot.kubevirt.io'
const contents = 'virtualmachinesnapshotcontents.snapshot.kubevirt.io'
const volumeSnapshots = 'volumesnapshots.snapshot.storage.k8s.io'
const finalizer = 'snapshot.kubevirt.io/vmsnapshotcontent-protection'

/**
 * Takes a VolumeSnapshot of each volume of a content while the guest is frozen, and reports their
 * state.
 */
export const vmSnapshotContents: Controller = {
  name: 'vmsnapshotcontent-controller',
  sources: [
    { kind: contents, keysOf: ownKey },
    {
      kind: snapshots,
      keysOf: (snapshot) => [
        { namespace: snapshot.metadata.namespace, name: contentName(snapshot) },
      ],
    },
    {
      kind: volumeSnapshots,
      keysOf: (copy) => {
        const owner = controllerOf(copy)
        return owner?.kind === 'VirtualMachineSnapshotContent'
          ? [{ namespace: copy.metadata.namespace, name: owner.name }]
          : []
      },
    },
  ],
  reconcile(client, { namespace, name }) {
    const content = client.get(contents, namespace, name)
    if (content) advance(client, content)
    return undefined
  },
}

function advance(client: Client, content: KubeObject): void {
  const { namespace } = content.metadata
  const snapshot = client.get(
    snapshots,
    namespace,
    read.text(read.spec(content).virtualMachineSnapshotName),
  )
  if (snapshot && !isEnding(snapshot)) {
    if (!isDeleted(content))
      client.setStatus(contents, content, statusFor(client, content, snapshot))
    return
  }
  if (snapshot) unfreeze(client, sourceOf(client, snapshot))
  // The snapshot controller deletes the content first; its finalizer is released afterwards.
  if (snapshot && isDeletedWith(snapshot, content) && !isDeleted(content)) return
  const released = client.release(contents, content, finalizer)
  if (!isDeleted(released))
    client.setStatus(contents, released, statusFor(client, released, snapshot))
}

interface Copies {
  present: KubeObject[]
  /** Volume snapshots that existed before and are gone. */
  missing: string[]
  /** Volume snapshots that are not taken because the VM snapshot was deleted. */
  skipped: string[]
}

function statusFor(client: Client, content: KubeObject, snapshot: KubeObject | undefined): JsonMap {
  const copies = takeCopies(client, content, snapshot)
  const observed = copies.present.map(observedStatus)
  const isWhole = copies.missing.length + copies.skipped.length === 0
  const readyToUse = isWhole && observed.every((each) => each.readyToUse === true)
  const isCreated = isWhole && observed.every(({ creationTime }) => creationTime !== undefined)
  const message = errorMessage(copies, observed)
  const {
    creationTime = isCreated ? clock.timestamp() : undefined,
    error,
    ...old
  } = read.status(content)
  if (snapshot && creationTime !== read.status(content).creationTime)
    unfreeze(client, sourceOf(client, snapshot))
  return filled({
    ...old,
    creationTime,
    error: readyToUse && message !== undefined ? error : errorOf(message, error),
    readyToUse,
    volumeSnapshotStatus: observed.length > 0 ? observed : undefined,
  })
}

function errorMessage(
  { missing, skipped }: Copies,
  observed: readonly JsonMap[],
): string | undefined {
  if (missing.length > 0) return `VolumeSnapshots (${missing.join(',')}) missing`
  if (skipped.length > 0)
    return `VolumeSnapshots (${skipped.join(',')}) skipped because vm snapshot is deleted`
  const broken = observed.find(({ error }) => read.at(error, 'message') !== undefined)
  return (
    broken &&
    `VolumeSnapshot ${read.text(broken.volumeSnapshotName)} error: ${read.text(read.at(broken.error, 'message'))}`
  )
}

/** The error with its time; an unchanged message keeps its time. */
function errorOf(message: string | undefined, old: Json | undefined): Json | undefined {
  if (message === undefined) return undefined
  return read.at(old, 'message') === message ? old : { message, time: clock.timestamp() }
}

function observedStatus(copy: KubeObject): JsonMap {
  const { creationTime, error, readyToUse } = read.status(copy)
  return filled({ creationTime, error, readyToUse, volumeSnapshotName: copy.metadata.name })
}

/** Collects the existing volume snapshots, and creates those that can still be taken. */
function takeCopies(client: Client, content: KubeObject, snapshot: KubeObject | undefined): Copies {
  const copies: Copies = { present: [], missing: [], skipped: [] }
  for (const backup of read.maps(read.spec(content).volumeBackups)) {
    const name = read.text(backup.volumeSnapshotName)
    const copy = client.get(volumeSnapshots, content.metadata.namespace, name)
    if (copy) copies.present.push(copy)
    else if (read.status(content).creationTime !== undefined) copies.missing.push(name)
    else if (!snapshot || isDeleted(snapshot)) copies.skipped.push(name)
    else copies.present.push(take(client, { content, snapshot, backup }))
  }
  for (const name of copies.missing) {
    client.record(content, {
      type: 'Warning',
      reason: 'VolumeSnapshotMissing',
      message: `VolumeSnapshot ${name} no longer exists`,
    })
  }
  return copies
}

interface SnapshotRequest {
  content: KubeObject
  snapshot: KubeObject
  backup: JsonMap
}

function take(client: Client, { content, snapshot, backup }: SnapshotRequest): KubeObject {
  const source = sourceOf(client, snapshot)
  if (source) freeze(client, source)
  const name = read.text(backup.volumeSnapshotName)
  const vm = copiedVm(content)
  const copy = client.create(volumeSnapshots, {
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshot',
    metadata: {
      name,
      namespace: content.metadata.namespace ?? '',
      ownerReferences: [ownedBy(content)],
      labels: {
        'snapshot.kubevirt.io/source-vm-name': read.text(read.at(vm, 'metadata', 'name')),
        'snapshot.kubevirt.io/source-vm-namespace': read.text(read.at(vm, 'metadata', 'namespace')),
      },
    },
    spec: filled({
      source: {
        persistentVolumeClaimName: read.at(backup, 'persistentVolumeClaim', 'metadata', 'name'),
      },
      volumeSnapshotClassName:
        snapshotClassFor(
          client,
          read.text(read.at(backup, 'persistentVolumeClaim', 'spec', 'storageClassName')),
        ) ?? undefined,
    }),
  })
  client.record(content, {
    type: 'Normal',
    reason: 'SuccessfulVolumeSnapshotCreate',
    message: `Successfully created VolumeSnapshot ${name}`,
  })
  return copy
}
