import { ApiError } from '../../../objects/status.ts'
import { type KubeObject } from '../../../objects/types.ts'
import { type Controller, type Key, ownKey } from '../../controller.ts'
import { type Desk } from '../../desk.ts'
import { clonePatches } from './clone-patches.ts'
import { type CloneNews, cloneStatus } from './clone-status.ts'
import { isDeleted } from '../../holds.ts'
import { ownedBy } from '../../owners.ts'
import { filled, read } from '../../../objects/read.ts'
import { obstacle, restoresOf } from '../restores/restore-job.ts'
import { restoreNameOn } from '../restores/restore-marks.ts'
import { contentName, copiedVm, isReady } from '../../../objects/vms/snapshot-content.ts'
import { claimOf, hasBackendStorage, volumesOf } from '../../../objects/vms/vm-volumes.ts'

const clones = 'virtualmachineclones.clone.kubevirt.io'
const snapshots = 'virtualmachinesnapshots.snapshot.kubevirt.io'
const contents = 'virtualmachinesnapshotcontents.snapshot.kubevirt.io'
const restores = 'virtualmachinerestores.snapshot.kubevirt.io'
const vms = 'virtualmachines.kubevirt.io'

const orderOf = ({ metadata: { namespace, ownerReferences = [] } }: KubeObject): Key[] =>
  ownerReferences
    .filter(({ kind }) => kind === 'VirtualMachineClone')
    .map(({ name }) => ({ namespace, name }))

const naming = ({ metadata: { namespace, name } }: KubeObject, desk: Desk): Key[] =>
  desk
    .list(clones, namespace)
    .filter(({ spec }) =>
      [read.at(spec, 'source', 'name'), read.at(spec, 'target', 'name')].includes(name),
    )
    .flatMap(ownKey)

const ofClaim = ({ metadata: { namespace, annotations } }: KubeObject, desk: Desk): Key[] => {
  const restore = desk.get(restores, namespace, annotations?.[restoreNameOn] ?? '')
  return restore ? orderOf(restore) : []
}

/** Clones a VM: takes a snapshot or uses an existing one, and restores it into a new VM. */
export const vmClones: Controller = {
  name: 'vmclone-controller',
  sources: [
    { kind: clones, keysOf: ownKey },
    {
      kind: snapshots,
      keysOf: (snapshot, desk) => [...orderOf(snapshot), ...naming(snapshot, desk)],
    },
    { kind: restores, keysOf: orderOf },
    { kind: vms, keysOf: naming },
    { kind: 'persistentvolumeclaims', keysOf: ofClaim },
  ],
  reconcile(desk, { namespace, name }) {
    const clone = desk.get(clones, namespace, name)
    if (clone) look(desk, clone)
    return undefined
  },
}

function look(desk: Desk, clone: KubeObject): void {
  const { namespace } = clone.metadata
  const status = read.status(clone)
  if (status.phase === 'Succeeded' && !desk.get(vms, namespace, read.text(status.targetName))) {
    // A finished clone is deleted together with its target VM.
    if (!isDeleted(clone)) desk.remove(clones, clone)
    return
  }
  const news: CloneNews = {}
  try {
    proceed(desk, clone, news)
  } catch (error) {
    if (error instanceof ApiError) say(desk, clone, news)
    throw error
  }
  say(desk, clone, news)
}

function say(desk: Desk, clone: KubeObject, news: CloneNews): void {
  const trouble = news.pending ?? news.failed
  if (trouble) note(desk, clone, [trouble.event, trouble.reason])
  desk.setStatus(clones, clone, cloneStatus(read.status(clone), news))
}

const note = (
  desk: Desk,
  clone: KubeObject,
  [reason, message]: [reason: string, message: string],
): void => desk.record(clone, { type: 'Normal', reason, message })

/**
 * Does the work that is possible now. Results are added to `progress`, even when a later step
 * fails.
 */
function proceed(desk: Desk, clone: KubeObject, news: CloneNews): void {
  const { phase, restoreName } = read.status(clone)
  if (phase === 'Failed' || (phase === 'Succeeded' && restoreName === undefined)) return
  const snapshotName = sourceSnapshot(desk, clone, news)
  if (snapshotName === null) return
  const isEarly = phase === undefined || phase === 'SnapshotInProgress'
  if (isEarly && !isSnapshotReady(desk, clone, { snapshotName, news })) return
  if (restoreName === undefined) createRestore(desk, clone, { snapshotName, news })
  else finish(desk, clone, news)
}

function finish(desk: Desk, clone: KubeObject, news: CloneNews): void {
  const { phase, restoreName } = read.status(clone)
  const restore = desk.get(restores, clone.metadata.namespace, read.text(restoreName))
  if (!restore)
    throw obstacle(
      `restore ${read.text(restoreName)} is not created yet for clone ${clone.metadata.name}`,
    )
  if (phase === 'Succeeded' || isRestored(desk, clone, { restore, news }))
    cleanUp(desk, clone, { restore, news })
}

/** The name of the snapshot to restore; null while there is none, with the reason in `progress`. */
function sourceSnapshot(desk: Desk, clone: KubeObject, news: CloneNews): string | null {
  const { namespace } = clone.metadata
  const kind = read.text(read.at(clone, 'spec', 'source', 'kind'))
  const name = read.text(read.at(clone, 'spec', 'source', 'name'))
  const source = desk.get(kind === 'VirtualMachine' ? vms : snapshots, namespace, name)
  if (!source) {
    news.pending = {
      event: 'SourceDoesNotExist',
      reason: `Source doesnt exist: ${kind} ${namespace}/${name}`,
    }
    return null
  }
  if (kind !== 'VirtualMachine') return name
  if (hasBackendStorage(source)) {
    const reason = `Clone of source with backendstorage is not supported: VM ${namespace}/${name}`
    news.failed = { event: 'SourceWithBackendStorageInvalid', reason }
    return null
  }
  const { snapshotName, phase } = read.status(clone)
  if (snapshotName !== undefined || phase === 'Succeeded') return read.text(snapshotName)
  createSnapshot(desk, clone, { vm: source, news })
  return null
}

function createSnapshot(
  desk: Desk,
  clone: KubeObject,
  { vm, news }: { vm: KubeObject; news: CloneNews },
): void {
  const reason = whyNotSnapshotable(vm)
  if (reason !== '') {
    news.pending = { event: 'VMVolumeSnapshotsInvalid', reason }
    return
  }
  const name = `tmp-snapshot-${clone.metadata.uid}`
  news.snapshotName = name
  const { namespace = '' } = clone.metadata
  if (desk.get(snapshots, namespace, name)) return
  desk.create(snapshots, {
    apiVersion: 'snapshot.kubevirt.io/v1beta1',
    kind: 'VirtualMachineSnapshot',
    metadata: { name, namespace, ownerReferences: [ownedBy(clone)] },
    spec: { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: vm.metadata.name } },
  })
  note(desk, clone, [
    'SnapshotCreated',
    `created snapshot ${name} for clone ${clone.metadata.name}`,
  ])
}

function whyNotSnapshotable(vm: KubeObject): string {
  const statuses = read.maps(read.status(vm).volumeSnapshotStatuses)
  const kept = volumesOf(vm).filter(
    ({ persistentVolumeClaim, dataVolume }) =>
      persistentVolumeClaim !== undefined || dataVolume !== undefined,
  )
  const reasons = kept.flatMap(({ name }) => {
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
  news: CloneNews
}

function isSnapshotReady(
  desk: Desk,
  clone: KubeObject,
  { snapshotName, news }: WithSnapshot,
): boolean {
  const { namespace, name } = clone.metadata
  const snapshot = desk.get(snapshots, namespace, snapshotName)
  if (!snapshot) throw obstacle(`snapshot ${snapshotName} is not created yet for clone ${name}`)
  if (!isReady(snapshot)) return false
  const reason = whatLacks(desk, snapshot)
  if (reason !== '') {
    news.failed = { event: 'SnapshotContentInvalid', reason }
    return false
  }
  note(desk, clone, ['SnapshotReady', `snapshot ${snapshotName} for clone ${name} is ready to use`])
  news.snapshotReady = true
  return true
}

/** Returns which volumes the snapshot lacks; a clone must contain all volumes with content. */
function whatLacks(desk: Desk, snapshot: KubeObject): string {
  const { namespace, name } = snapshot.metadata
  const content = desk.get(contents, namespace, contentName(snapshot))
  if (!content)
    return `snapshot content ${contentName(snapshot)} in namespace ${namespace} does not exist`
  const vm = copiedVm(content)
  if (hasBackendStorage(vm))
    return `Clone of source with backendstorage is not supported: snapshot ${namespace}/${name}`
  const backedUp = read.maps(read.spec(content).volumeBackups).map(({ volumeName }) => volumeName)
  const lacking = volumesOf(vm).filter(
    (volume) =>
      volume.memoryDump === undefined &&
      claimOf(volume) !== null &&
      !backedUp.includes(volume.name),
  )
  return lacking
    .map((volume) => `volume ${read.text(volume.name)} is not backed up in snapshot ${name}`)
    .join('\n')
}

const policies: Readonly<Record<string, string>> = {
  RandomizeNames: 'RandomizeNames',
  PrefixTargetName: 'PrefixTargetName',
}

function createRestore(desk: Desk, clone: KubeObject, { snapshotName, news }: WithSnapshot): void {
  const { namespace = '', name: cloneName, uid } = clone.metadata
  const snapshot = desk.get(snapshots, namespace, snapshotName)
  if (!snapshot) {
    news.failed = {
      event: 'SnapshotDeleted',
      reason: `snapshot ${snapshotName} does not exist anymore`,
    }
    return
  }
  const content = desk.get(contents, namespace, contentName(snapshot))
  if (!content)
    throw obstacle(
      `cannot get VM manifest from snapshot: snapshot content ${contentName(snapshot)} does not exist`,
    )
  const name = `tmp-restore-${uid}`
  if (!desk.get(restores, namespace, name)) {
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
    order(desk, clone, restore)
    note(desk, clone, ['RestoreCreated', `created restore ${name} for clone ${cloneName}`])
  }
  news.restoreName = name
}

function order(desk: Desk, clone: KubeObject, restore: KubeObject): void {
  try {
    desk.create(restores, restore)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const message = `failed creating restore ${restore.metadata.name} for clone ${clone.metadata.name}: ${error.message}`
    desk.record(clone, { type: 'Warning', reason: 'RestoreCreationFailed', message })
    throw error
  }
}

interface WithRestore {
  restore: KubeObject
  news: CloneNews
}

function isRestored(desk: Desk, clone: KubeObject, { restore, news }: WithRestore): boolean {
  const { namespace, name } = clone.metadata
  const { complete, conditions } = read.status(restore)
  if (complete !== true && !read.maps(conditions).some(({ type }) => type === 'Failure'))
    return false
  note(desk, clone, [
    'RestoreReady',
    `restore ${restore.metadata.name} for clone ${name} is ready to use`,
  ])
  const target = read.text(read.at(restore, 'spec', 'target', 'name'))
  news.restoreReady = true
  news.targetName = target
  if (!desk.get(vms, namespace, target))
    throw obstacle(`target VM ${target} is not created yet for clone ${name}`)
  note(desk, clone, ['TargetVMCreated', `created target VM ${target} for clone ${name}`])
  news.targetCreated = true
  return true
}

/** Deletes the temporary snapshot and restore after the PVCs of the target are bound. */
function cleanUp(desk: Desk, clone: KubeObject, { restore, news }: WithRestore): void {
  const { namespace, name } = clone.metadata
  for (const entry of restoresOf(restore)) {
    const claimName = read.text(entry.persistentVolumeClaim)
    const claim = desk.get('persistentvolumeclaims', namespace, claimName)
    if (!claim) throw obstacle(`PVC ${claimName} is not created yet for clone ${name}`)
    if (read.status(claim).phase !== 'Bound') return
  }
  note(desk, clone, ['PVCBound', `all PVC for clone ${name} are bound`])
  news.claimsBound = true
  if (!isDeleted(restore)) desk.remove(restores, restore)
  const snapshot = desk.get(snapshots, namespace, read.text(read.status(clone).snapshotName))
  const isOurs = read.at(clone, 'spec', 'source', 'kind') === 'VirtualMachine'
  if (isOurs && snapshot && !isDeleted(snapshot)) desk.remove(snapshots, snapshot)
}
