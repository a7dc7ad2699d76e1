import { ApiError } from '../../apiserver/status.ts'
import { type JsonMap, type KubeObject } from '../../apiserver/types.ts'
import { clock } from '../../clock.ts'
import { type Controller, type Key, ownKey } from '../controller.ts'
import { type Desk } from '../desk.ts'
import { type Said, failure, progressing, ready, withConditions } from './conditions.ts'
import { at, isDeleted, mapsOf, ownedBy, specOf, statusOf, textOf, textsOf, withFinalizer } from './fields.ts'
import { type RestoreJob, isMarkedBy, obstacle, restoreNameOn } from './restore-job.ts'
import { stop, waitFor } from './restore-readiness.ts'
import { markInProgress, restoreTarget, unmarkInProgress } from './restore-target.ts'
import { restoreClaims } from './restored-claims.ts'
import { isReady } from './snapshot-state.ts'

const restores = 'virtualmachinerestores.snapshot.kubevirt.io'
const snapshots = 'virtualmachinesnapshots.snapshot.kubevirt.io'
const contents = 'virtualmachinesnapshotcontents.snapshot.kubevirt.io'
const vms = 'virtualmachines.kubevirt.io'
const vmis = 'virtualmachineinstances.kubevirt.io'
const dataVolumes = 'datavolumes.cdi.kubevirt.io'
const finalizer = 'snapshot.kubevirt.io/vmrestore-protection'

const targeting = ({ metadata: { namespace, name } }: KubeObject, desk: Desk): Key[] =>
  desk
    .list(restores, namespace)
    .filter((restore) => at(restore, 'spec', 'target', 'name') === name)
    .flatMap(ownKey)

const ofSnapshot = ({ metadata: { namespace, name } }: KubeObject, desk: Desk): Key[] =>
  desk
    .list(restores, namespace)
    .filter((restore) => specOf(restore).virtualMachineSnapshotName === name)
    .flatMap(ownKey)

const madeBy = ({ metadata: { namespace, annotations } }: KubeObject): Key[] => {
  const name = annotations?.[restoreNameOn]
  return name === undefined ? [] : [{ namespace, name }]
}

/** Brings a VM back to a snapshot, or makes a new one from it. */
export const vmRestores: Controller = {
  name: 'vmrestore-controller',
  sources: [
    { kind: restores, keysOf: ownKey },
    { kind: vms, keysOf: targeting },
    { kind: vmis, keysOf: targeting },
    { kind: snapshots, keysOf: ofSnapshot },
    { kind: 'persistentvolumeclaims', keysOf: madeBy },
    { kind: dataVolumes, keysOf: madeBy },
  ],
  reconcile(desk, { namespace, name }) {
    const restore = desk.get(restores, namespace, name)
    return restore ? look(desk, restore) : undefined
  },
}

function look(desk: Desk, restore: KubeObject): number | undefined {
  if (restore.status === undefined) {
    const text = 'Initializing VirtualMachineRestore'
    say(desk, { ...restore, status: { complete: false } }, [progressing('True', text), ready('False', text)])
    return undefined
  }
  const vm = desk.get(vms, restore.metadata.namespace, textOf(at(restore, 'spec', 'target', 'name')))
  if (isDeleted(restore)) return letGo(desk, restore, vm)
  if (statusOf(restore).complete === true || hasFailed(restore)) return undefined
  const held = hold(desk, restore, vm)
  try {
    return proceed(desk, held, vm)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const reason = error.message
    desk.record(held, {
      type: 'Warning',
      reason: 'VirtualMachineRestoreError',
      message: `VirtualMachineRestore encountered error ${reason}`,
    })
    say(desk, held, [progressing('False', reason), ready('False', reason)])
    throw error
  }
}

const hasFailed = (restore: KubeObject): boolean => mapsOf(statusOf(restore).conditions).some(({ type }) => type === 'Failure')

function say(desk: Desk, restore: KubeObject, news: readonly Said[], more: JsonMap = {}): KubeObject {
  const status = statusOf(restore)
  const next = { ...status, ...more, conditions: withConditions(status.conditions, ...news) }
  // What the caller assumed as the status is not stored yet.
  const stored = desk.get(restores, restore.metadata.namespace, restore.metadata.name) ?? restore
  return desk.setStatus(restores, stored, next)
}

/** It goes with its VM, unless somebody else ordered it. */
function hold(desk: Desk, restore: KubeObject, vm: KubeObject | undefined): KubeObject {
  const owners = restore.metadata.ownerReferences ?? []
  const ownerReferences = owners.length === 0 && vm ? [ownedBy(vm)] : owners
  const owned = ownerReferences === owners ? restore : { ...restore, metadata: { ...restore.metadata, ownerReferences } }
  return desk.change(restores, restore, withFinalizer(owned, finalizer))
}

function letGo(desk: Desk, restore: KubeObject, vm: KubeObject | undefined): undefined {
  if (vm) unmarkInProgress(desk, restore, vm)
  const text = 'VM restore is deleting'
  desk.release(restores, say(desk, restore, [progressing('False', text), ready('False', text)]), finalizer)
}

function proceed(desk: Desk, restore: KubeObject, vm: KubeObject | undefined): number | undefined {
  const { namespace } = restore.metadata
  const vmi = vm && desk.get(vmis, namespace, vm.metadata.name)
  if (vm && vmi) return awaitPowerOff(desk, restore, { vm, vmi })
  const snapshot = snapshotFor(desk, restore)
  const content = contentFor(desk, snapshot)
  const { sourceUID } = statusOf(snapshot)
  if (vm && !isMarkedBy(restore, vm) && sourceUID !== undefined && vm.metadata.uid !== sourceUID) {
    throw obstacle('restore source and restore target are different but restore target already exists')
  }
  const job = { restore, content, vm: vm && markInProgress(desk, restore, vm) }
  const claims = restoreClaims(desk, job)
  if (claims !== null) {
    say(desk, restore, [progressing('True', 'Creating new PVCs'), ready('False', 'Waiting for new PVCs')], { restores: claims })
    return undefined
  }
  const changes = restoreTarget(desk, job)
  if (changes === null) return complete(desk, job)
  say(desk, restore, [progressing('True', 'Updating target spec'), ready('False', 'Waiting for target update')], changes)
  return undefined
}

function awaitPowerOff(desk: Desk, restore: KubeObject, { vm, vmi }: { vm: KubeObject; vmi: KubeObject }): number | undefined {
  const { reason, event, isFinal, stops, againMs } = waitFor(restore)
  if (event !== undefined) desk.record(restore, { type: 'Warning', reason: 'RestoreTargetNotReady', message: event })
  if (isFinal) desk.record(restore, { type: 'Warning', reason: 'Operation failed', message: `VirtualMachineRestore failed ${reason}` })
  if (stops) stop(desk, vm, vmi)
  say(desk, restore, [progressing('False', reason), ready('False', reason), ...(isFinal ? [failure(reason)] : [])])
  return againMs
}

function snapshotFor(desk: Desk, restore: KubeObject): KubeObject {
  const { namespace } = restore.metadata
  const name = textOf(specOf(restore).virtualMachineSnapshotName)
  const snapshot = desk.get(snapshots, namespace, name)
  if (!snapshot) throw obstacle(`VMSnapshot ${namespace}/${name} does not exist`)
  if (statusOf(snapshot).phase === 'Failed') throw obstacle(`VMSnapshot ${namespace}/${name} failed and is invalid to use`)
  if (!isReady(snapshot)) throw obstacle(`VMSnapshot ${namespace}/${name} not ready`)
  return snapshot
}

function contentFor(desk: Desk, snapshot: KubeObject): KubeObject {
  const { namespace, name: snapshotName } = snapshot.metadata
  const name = textOf(statusOf(snapshot).virtualMachineSnapshotContentName)
  if (name === '') throw obstacle(`no snapshot content name in ${namespace}/${snapshotName}`)
  const content = desk.get(contents, namespace, name)
  if (!content) throw obstacle(`VMSnapshotContent ${namespace}/${name} does not exist`)
  if (!isReady(content)) throw obstacle(`VMSnapshotContent ${namespace}/${name} not ready`)
  return content
}

/** Throws away what the VM no longer uses, and says that it is done. */
function complete(desk: Desk, { restore, vm }: RestoreJob): undefined {
  for (const name of textsOf(statusOf(restore).deletedDataVolumes)) {
    const volume = desk.get(dataVolumes, restore.metadata.namespace, name)
    if (volume && !isDeleted(volume)) desk.remove(dataVolumes, volume)
  }
  if (vm) unmarkInProgress(desk, restore, vm)
  const { name } = restore.metadata
  const message = `Successfully completed VirtualMachineRestore ${name}`
  desk.record(restore, { type: 'Normal', reason: 'VirtualMachineRestoreComplete', message })
  const text = 'Operation complete'
  say(desk, restore, [progressing('False', text), ready('True', text)], { complete: true, restoreTime: clock.timestamp() })
}
