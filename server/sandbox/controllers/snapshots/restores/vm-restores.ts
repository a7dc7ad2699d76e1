import { ApiError } from '../../../objects/status.ts'
import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { clock } from '../../../clock.ts'
import { type Controller, type Key, ownKey } from '../../controller.ts'
import { type Client } from '../../client.ts'
import { type ConditionUpdate, failure, progressing, ready, withConditions } from '../conditions.ts'
import { stop, readinessWaitOf } from './restore-readiness.ts'
import { markInProgress, restoreTarget, unmarkInProgress } from './restore-target.ts'
import { restoreClaims } from './restored-claims.ts'
import { isDeleted, withFinalizer } from '../../finalizers.ts'
import { ownedBy } from '../../owners.ts'
import { read } from '../../../objects/read.ts'
import { type RestoreJob, retryableError, restoresOf } from './restore-job.ts'
import { isRestoredBy, restoreNameKey } from './restore-annotations.ts'
import { isReady } from '../../../objects/vms/snapshot-content.ts'

const restores = 'virtualmachinerestores.snapshot.kubevirt.io'
const snapshots = 'virtualmachinesnapshots.snapshot.kubevirt.io'
const contents = 'virtualmachinesnapshotcontents.snapshot.kubevirt.io'
const vms = 'virtualmachines.kubevirt.io'
const vmis = 'virtualmachineinstances.kubevirt.io'
const dataVolumes = 'datavolumes.cdi.kubevirt.io'
const finalizer = 'snapshot.kubevirt.io/vmrestore-protection'

const targeting = ({ metadata: { namespace, name } }: KubeObject, client: Client): Key[] =>
  client
    .list(restores, namespace)
    .filter((restore) => read.at(restore, 'spec', 'target', 'name') === name)
    .flatMap(ownKey)

const ofSnapshot = ({ metadata: { namespace, name } }: KubeObject, client: Client): Key[] =>
  client
    .list(restores, namespace)
    .filter((restore) => read.spec(restore).virtualMachineSnapshotName === name)
    .flatMap(ownKey)

const restoreKeyOf = ({ metadata: { namespace, annotations } }: KubeObject): Key[] => {
  const name = annotations?.[restoreNameKey]
  return name === undefined ? [] : [{ namespace, name }]
}

/** A PVC that an in-place restore replaces does not name the restore. */
const ofClaim = (claim: KubeObject, client: Client): Key[] => {
  const { namespace, name } = claim.metadata
  const using = client
    .list(restores, namespace)
    .filter((restore) => restoresOf(restore).some((entry) => entry.persistentVolumeClaim === name))
  return [...restoreKeyOf(claim), ...using.flatMap(ownKey)]
}

/** Restores a VM to a snapshot, or creates a new one from it. */
export const vmRestores: Controller = {
  name: 'vmrestore-controller',
  sources: [
    { kind: restores, keysOf: ownKey },
    { kind: vms, keysOf: targeting },
    { kind: vmis, keysOf: targeting },
    { kind: snapshots, keysOf: ofSnapshot },
    { kind: 'persistentvolumeclaims', keysOf: ofClaim },
    { kind: dataVolumes, keysOf: restoreKeyOf },
  ],
  reconcile(client, { namespace, name }) {
    const restore = client.get(restores, namespace, name)
    return restore ? advance(client, restore) : undefined
  },
}

function advance(client: Client, restore: KubeObject): number | undefined {
  if (restore.status === undefined) {
    const text = 'Initializing VirtualMachineRestore'
    report(client, restore, {
      complete: false,
      conditions: [progressing('True', text), ready('False', text)],
    })
    return undefined
  }
  const vm = client.get(
    vms,
    restore.metadata.namespace,
    read.text(read.at(restore, 'spec', 'target', 'name')),
  )
  if (isDeleted(restore)) return finalize(client, restore, vm)
  if (read.status(restore).complete === true || hasFailed(restore)) return undefined
  const prepared = prepare(client, restore, vm)
  try {
    return proceed(client, prepared, vm)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const reason = error.message
    client.record(prepared, {
      type: 'Warning',
      reason: 'VirtualMachineRestoreError',
      message: `VirtualMachineRestore encountered error ${reason}`,
    })
    report(client, prepared, { conditions: [progressing('False', reason), ready('False', reason)] })
    throw error
  }
}

const hasFailed = (restore: KubeObject): boolean =>
  read.maps(read.status(restore).conditions).some(({ type }) => type === 'Failure')

/** Writes the status with the new conditions. */
function report(
  client: Client,
  restore: KubeObject,
  { conditions, ...more }: JsonMap & { conditions: readonly ConditionUpdate[] },
): KubeObject {
  const status = read.status(restore)
  return client.setStatus(restores, restore, {
    ...status,
    ...more,
    conditions: withConditions(status.conditions, ...conditions),
  })
}

/** Adds the finalizer, and makes the VM the owner of a restore that has no owner. */
function prepare(client: Client, restore: KubeObject, vm: KubeObject | undefined): KubeObject {
  const owners = restore.metadata.ownerReferences ?? []
  const ownerReferences = owners.length === 0 && vm ? [ownedBy(vm)] : owners
  const owned =
    ownerReferences === owners
      ? restore
      : { ...restore, metadata: { ...restore.metadata, ownerReferences } }
  return client.change(restores, restore, withFinalizer(owned, finalizer))
}

function finalize(client: Client, restore: KubeObject, vm: KubeObject | undefined): undefined {
  if (vm) unmarkInProgress(client, restore, vm)
  const text = 'VM restore is deleting'
  client.release(
    restores,
    report(client, restore, { conditions: [progressing('False', text), ready('False', text)] }),
    finalizer,
  )
}

function proceed(
  client: Client,
  restore: KubeObject,
  vm: KubeObject | undefined,
): number | undefined {
  const { namespace } = restore.metadata
  const vmi = vm && client.get(vmis, namespace, vm.metadata.name)
  if (vm && vmi) return awaitPowerOff(client, restore, { vm, vmi })
  const snapshot = snapshotFor(client, restore)
  const content = contentFor(client, snapshot)
  if (vm && !isRestoredBy(restore, vm)) checkSameSource(snapshot, vm)
  const job = { restore, content, vm: vm && markInProgress(client, restore, vm) }
  const claims = restoreClaims(client, job)
  if (claims !== null) {
    report(client, restore, {
      restores: claims,
      conditions: [
        progressing('True', 'Creating new PVCs'),
        ready('False', 'Waiting for new PVCs'),
      ],
    })
    return undefined
  }
  const changes = restoreTarget(client, job)
  if (changes === null) return complete(client, job)
  report(client, restore, {
    ...changes,
    conditions: [
      progressing('True', 'Updating target spec'),
      ready('False', 'Waiting for target update'),
    ],
  })
  return undefined
}

function checkSameSource(snapshot: KubeObject, vm: KubeObject): void {
  const { sourceUID } = read.status(snapshot)
  if (sourceUID === undefined || vm.metadata.uid === sourceUID) return
  throw retryableError(
    'restore source and restore target are different but restore target already exists',
  )
}

function awaitPowerOff(
  client: Client,
  restore: KubeObject,
  { vm, vmi }: { vm: KubeObject; vmi: KubeObject },
): number | undefined {
  const { reason, event, isFinal, stopsTarget, againMs } = readinessWaitOf(restore)
  if (event !== undefined)
    client.record(restore, { type: 'Warning', reason: 'RestoreTargetNotReady', message: event })
  if (isFinal)
    client.record(restore, {
      type: 'Warning',
      reason: 'Operation failed',
      message: `VirtualMachineRestore failed ${reason}`,
    })
  if (stopsTarget) stop(client, vm, vmi)
  report(client, restore, {
    conditions: [
      progressing('False', reason),
      ready('False', reason),
      ...(isFinal ? [failure(reason)] : []),
    ],
  })
  return againMs
}

function snapshotFor(client: Client, restore: KubeObject): KubeObject {
  const { namespace } = restore.metadata
  const name = read.text(read.spec(restore).virtualMachineSnapshotName)
  const snapshot = client.get(snapshots, namespace, name)
  if (!snapshot) throw retryableError(`VMSnapshot ${namespace}/${name} does not exist`)
  if (read.status(snapshot).phase === 'Failed')
    throw retryableError(`VMSnapshot ${namespace}/${name} failed and is invalid to use`)
  if (!isReady(snapshot)) throw retryableError(`VMSnapshot ${namespace}/${name} not ready`)
  return snapshot
}

function contentFor(client: Client, snapshot: KubeObject): KubeObject {
  const { namespace, name: snapshotName } = snapshot.metadata
  const name = read.text(read.status(snapshot).virtualMachineSnapshotContentName)
  if (name === '') throw retryableError(`no snapshot content name in ${namespace}/${snapshotName}`)
  const content = client.get(contents, namespace, name)
  if (!content) throw retryableError(`VMSnapshotContent ${namespace}/${name} does not exist`)
  if (!isReady(content)) throw retryableError(`VMSnapshotContent ${namespace}/${name} not ready`)
  return content
}

/** Deletes the DataVolumes that the VM no longer uses, and reports the restore as complete. */
function complete(client: Client, { restore, vm }: RestoreJob): undefined {
  for (const name of read.texts(read.status(restore).deletedDataVolumes)) {
    const volume = client.get(dataVolumes, restore.metadata.namespace, name)
    if (volume && !isDeleted(volume)) client.remove(dataVolumes, volume)
  }
  if (vm) unmarkInProgress(client, restore, vm)
  const { name } = restore.metadata
  const message = `Successfully completed VirtualMachineRestore ${name}`
  client.record(restore, { type: 'Normal', reason: 'VirtualMachineRestoreComplete', message })
  const text = 'Operation complete'
  report(client, restore, {
    complete: true,
    restoreTime: clock.timestamp(),
    conditions: [progressing('False', text), ready('True', text)],
  })
}
