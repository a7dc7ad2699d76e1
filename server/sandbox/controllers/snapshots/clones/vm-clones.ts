import { ApiError } from '../../../objects/status.ts'
import { type KubeObject } from '../../../objects/types.ts'
import { type Controller, type Key, ownKey } from '../../controller.ts'
import { type Client } from '../../client.ts'
import { clonePatches } from './clone-patches.ts'
import { type CloneProgress, cloneStatus } from './clone-status.ts'
import { isDeleted } from '../../finalizers.ts'
import { ownedBy } from '../../owners.ts'
import { filled, read } from '../../../objects/read.ts'
import { retryableError, restoresOf } from '../restores/restore-job.ts'
import { restoreNameKey } from '../restores/restore-annotations.ts'
import { contentName, copiedVm, isReady } from '../../../objects/vms/snapshot-content.ts'
import { claimOf, hasBackendStorage, volumesOf } from '../../../objects/vms/vm-volumes.ts'

const clones = 'virtualmachineclones.clone.kubevirt.io'
const snapshots = 'virtualmachinesnapshots.snapshot.kubevirt.io'
const contents = 'virtualmachinesnapshotcontents.snapshot.kubevirt.io'
const restores = 'virtualmachinerestores.snapshot.kubevirt.io'
const vms = 'virtualmachines.kubevirt.io'

const cloneKeysOf = ({ metadata: { namespace, ownerReferences = [] } }: KubeObject): Key[] =>
  ownerReferences
    .filter(({ kind }) => kind === 'VirtualMachineClone')
    .map(({ name }) => ({ namespace, name }))

const clonesNaming = ({ metadata: { namespace, name } }: KubeObject, client: Client): Key[] =>
  client
    .list(clones, namespace)
    .filter(({ spec }) =>
      [read.at(spec, 'source', 'name'), read.at(spec, 'target', 'name')].includes(name),
    )
    .flatMap(ownKey)

const ofClaim = ({ metadata: { namespace, annotations } }: KubeObject, client: Client): Key[] => {
  const restore = client.get(restores, namespace, annotations?.[restoreNameKey] ?? '')
  return restore ? cloneKeysOf(restore) : []
}

/** Clones a VM: takes a snapshot or uses an existing one, and restores it into a new VM. */
export const vmClones: Controller = {
  name: 'vmclone-controller',
  sources: [
    { kind: clones, keysOf: ownKey },
    {
      kind: snapshots,
      keysOf: (snapshot, client) => [...cloneKeysOf(snapshot), ...clonesNaming(snapshot, client)],
    },
    { kind: restores, keysOf: cloneKeysOf },
    { kind: vms, keysOf: clonesNaming },
    { kind: 'persistentvolumeclaims', keysOf: ofClaim },
  ],
  reconcile(client, { namespace, name }) {
    const clone = client.get(clones, namespace, name)
    if (clone) advance(client, clone)
    return undefined
  },
}

function advance(client: Client, clone: KubeObject): void {
  const { namespace } = clone.metadata
  const status = read.status(clone)
  if (status.phase === 'Succeeded' && !client.get(vms, namespace, read.text(status.targetName))) {
    // A finished clone is deleted together with its target VM.
    if (!isDeleted(clone)) client.remove(clones, clone)
    return
  }
  const progress: CloneProgress = {}
  try {
    proceed(client, clone, progress)
  } catch (error) {
    if (error instanceof ApiError) report(client, clone, progress)
    throw error
  }
  report(client, clone, progress)
}

function report(client: Client, clone: KubeObject, progress: CloneProgress): void {
  const problem = progress.pending ?? progress.failed
  if (problem) record(client, clone, [problem.event, problem.reason])
  client.setStatus(clones, clone, cloneStatus(read.status(clone), progress))
}

const record = (
  client: Client,
  clone: KubeObject,
  [reason, message]: [reason: string, message: string],
): void => client.record(clone, { type: 'Normal', reason, message })

/**
 * Does the work that is possible now. Results are added to `progress`, even when a later step
 * fails.
 */
function proceed(client: Client, clone: KubeObject, progress: CloneProgress): void {
  const { phase, restoreName } = read.status(clone)
  if (phase === 'Failed' || (phase === 'Succeeded' && restoreName === undefined)) return
  const snapshotName = sourceSnapshot(client, clone, progress)
  if (snapshotName === null) return
  const isEarly = phase === undefined || phase === 'SnapshotInProgress'
  if (isEarly && !isSnapshotReady(client, clone, { snapshotName, progress })) return
  if (restoreName === undefined) createRestore(client, clone, { snapshotName, progress })
  else finish(client, clone, progress)
}

function finish(client: Client, clone: KubeObject, progress: CloneProgress): void {
  const { phase, restoreName } = read.status(clone)
  const restore = client.get(restores, clone.metadata.namespace, read.text(restoreName))
  if (!restore)
    throw retryableError(
      `restore ${read.text(restoreName)} is not created yet for clone ${clone.metadata.name}`,
    )
  if (phase === 'Succeeded' || isRestored(client, clone, { restore, progress }))
    cleanUp(client, clone, { restore, progress })
}

/** The name of the snapshot to restore; null while there is none, with the reason in `progress`. */
function sourceSnapshot(client: Client, clone: KubeObject, progress: CloneProgress): string | null {
  const { namespace } = clone.metadata
  const kind = read.text(read.at(clone, 'spec', 'source', 'kind'))
  const name = read.text(read.at(clone, 'spec', 'source', 'name'))
  const source = client.get(kind === 'VirtualMachine' ? vms : snapshots, namespace, name)
  if (!source) {
    progress.pending = {
      event: 'SourceDoesNotExist',
      reason: `Source doesnt exist: ${kind} ${namespace}/${name}`,
    }
    return null
  }
  if (kind !== 'VirtualMachine') return name
  if (hasBackendStorage(source)) {
    const reason = `Clone of source with backendstorage is not supported: VM ${namespace}/${name}`
    progress.failed = { event: 'SourceWithBackendStorageInvalid', reason }
    return null
  }
  const { snapshotName, phase } = read.status(clone)
  if (snapshotName !== undefined || phase === 'Succeeded') return read.text(snapshotName)
  createSnapshot(client, clone, { vm: source, progress })
  return null
}

function createSnapshot(
  client: Client,
  clone: KubeObject,
  { vm, progress }: { vm: KubeObject; progress: CloneProgress },
): void {
  const reason = whyNotSnapshotable(vm)
  if (reason !== '') {
    progress.pending = { event: 'VMVolumeSnapshotsInvalid', reason }
    return
  }
  const name = `tmp-snapshot-${clone.metadata.uid}`
  progress.snapshotName = name
  const { namespace = '' } = clone.metadata
  if (client.get(snapshots, namespace, name)) return
  client.create(snapshots, {
    apiVersion: 'snapshot.kubevirt.io/v1beta1',
    kind: 'VirtualMachineSnapshot',
    metadata: { name, namespace, ownerReferences: [ownedBy(clone)] },
    spec: { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: vm.metadata.name } },
  })
  record(client, clone, [
    'SnapshotCreated',
    `created snapshot ${name} for clone ${clone.metadata.name}`,
  ])
}

function whyNotSnapshotable(vm: KubeObject): string {
  const statuses = read.maps(read.status(vm).volumeSnapshotStatuses)
  const persistent = volumesOf(vm).filter(
    ({ persistentVolumeClaim, dataVolume }) =>
      persistentVolumeClaim !== undefined || dataVolume !== undefined,
  )
  const reasons = persistent.flatMap(({ name }) => {
    const status = statuses.find((each) => each.name === name)
    if (!status) return [`Virtual Machine volume ${read.text(name)} snapshot support unknown`]
    return status.enabled === true
      ? []
      : [`Virtual Machine volume ${read.text(name)} does not support snapshots`]
  })
  return reasons.join('\n')
}

interface WithSnapshot {
  snapshotName: string
  progress: CloneProgress
}

function isSnapshotReady(
  client: Client,
  clone: KubeObject,
  { snapshotName, progress }: WithSnapshot,
): boolean {
  const { namespace, name } = clone.metadata
  const snapshot = client.get(snapshots, namespace, snapshotName)
  if (!snapshot)
    throw retryableError(`snapshot ${snapshotName} is not created yet for clone ${name}`)
  if (!isReady(snapshot)) return false
  const reason = missingVolumes(client, snapshot)
  if (reason !== '') {
    progress.failed = { event: 'SnapshotContentInvalid', reason }
    return false
  }
  record(client, clone, [
    'SnapshotReady',
    `snapshot ${snapshotName} for clone ${name} is ready to use`,
  ])
  progress.snapshotReady = true
  return true
}

/** Returns which volumes the snapshot lacks; a clone must contain all volumes with content. */
function missingVolumes(client: Client, snapshot: KubeObject): string {
  const { namespace, name } = snapshot.metadata
  const content = client.get(contents, namespace, contentName(snapshot))
  if (!content)
    return `snapshot content ${contentName(snapshot)} in namespace ${namespace} does not exist`
  const vm = copiedVm(content)
  if (hasBackendStorage(vm))
    return `Clone of source with backendstorage is not supported: snapshot ${namespace}/${name}`
  const backedUp = read.maps(read.spec(content).volumeBackups).map(({ volumeName }) => volumeName)
  const missing = volumesOf(vm).filter(
    (volume) =>
      volume.memoryDump === undefined &&
      claimOf(volume) !== null &&
      !backedUp.includes(volume.name),
  )
  return missing
    .map((volume) => `volume ${read.text(volume.name)} is not backed up in snapshot ${name}`)
    .join('\n')
}

const policies: Readonly<Record<string, string>> = {
  RandomizeNames: 'RandomizeNames',
  PrefixTargetName: 'PrefixTargetName',
}

function createRestore(
  client: Client,
  clone: KubeObject,
  { snapshotName, progress }: WithSnapshot,
): void {
  const { namespace = '', name: cloneName, uid } = clone.metadata
  const snapshot = client.get(snapshots, namespace, snapshotName)
  if (!snapshot) {
    progress.failed = {
      event: 'SnapshotDeleted',
      reason: `snapshot ${snapshotName} does not exist anymore`,
    }
    return
  }
  const content = client.get(contents, namespace, contentName(snapshot))
  if (!content)
    throw retryableError(
      `cannot get VM manifest from snapshot: snapshot content ${contentName(snapshot)} does not exist`,
    )
  const name = `tmp-restore-${uid}`
  if (!client.get(restores, namespace, name)) {
    const restore = {
      apiVersion: 'snapshot.kubevirt.io/v1beta1',
      kind: 'VirtualMachineRestore',
      metadata: { name, namespace, ownerReferences: [ownedBy(clone)] },
      spec: filled({
        patches: clonePatches(copiedVm(content), read.spec(clone)),
        target: read.spec(clone).target,
        targetReadinessPolicy: 'WaitGracePeriod',
        virtualMachineSnapshotName: snapshotName,
        volumeRestorePolicy: policies[read.text(read.spec(clone).volumeNamePolicy)],
      }),
    }
    createRestoreObject(client, clone, restore)
    record(client, clone, ['RestoreCreated', `created restore ${name} for clone ${cloneName}`])
  }
  progress.restoreName = name
}

function createRestoreObject(client: Client, clone: KubeObject, restore: KubeObject): void {
  try {
    client.create(restores, restore)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const message = `failed creating restore ${restore.metadata.name} for clone ${clone.metadata.name}: ${error.message}`
    client.record(clone, { type: 'Warning', reason: 'RestoreCreationFailed', message })
    throw error
  }
}

interface WithRestore {
  restore: KubeObject
  progress: CloneProgress
}

function isRestored(
  client: Client,
  clone: KubeObject,
  { restore, progress }: WithRestore,
): boolean {
  const { namespace, name } = clone.metadata
  const { complete, conditions } = read.status(restore)
  if (complete !== true && !read.maps(conditions).some(({ type }) => type === 'Failure'))
    return false
  record(client, clone, [
    'RestoreReady',
    `restore ${restore.metadata.name} for clone ${name} is ready to use`,
  ])
  const target = read.text(read.at(restore, 'spec', 'target', 'name'))
  progress.restoreReady = true
  progress.targetName = target
  if (!client.get(vms, namespace, target))
    throw retryableError(`target VM ${target} is not created yet for clone ${name}`)
  record(client, clone, ['TargetVMCreated', `created target VM ${target} for clone ${name}`])
  progress.targetCreated = true
  return true
}

/** Deletes the temporary snapshot and restore after the PVCs of the target are bound. */
function cleanUp(client: Client, clone: KubeObject, { restore, progress }: WithRestore): void {
  const { namespace, name } = clone.metadata
  for (const entry of restoresOf(restore)) {
    const claimName = read.text(entry.persistentVolumeClaim)
    const claim = client.get('persistentvolumeclaims', namespace, claimName)
    if (!claim) throw retryableError(`PVC ${claimName} is not created yet for clone ${name}`)
    if (read.status(claim).phase !== 'Bound') return
  }
  record(client, clone, ['PVCBound', `all PVC for clone ${name} are bound`])
  progress.claimsBound = true
  if (!isDeleted(restore)) client.remove(restores, restore)
  const snapshot = client.get(snapshots, namespace, read.text(read.status(clone).snapshotName))
  const isTemporary = read.at(clone, 'spec', 'source', 'kind') === 'VirtualMachine'
  if (isTemporary && snapshot && !isDeleted(snapshot)) client.remove(snapshots, snapshot)
}
