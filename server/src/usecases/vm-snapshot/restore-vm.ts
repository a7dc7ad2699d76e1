import { Fault, notFound } from '../../engine/model/fault.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { invalid } from '../../engine/model/name.ts'
import { type VmSize, type VmView } from '../../domain/vm/vm.ts'
import { mustBeOff } from '../../domain/vm-snapshot/must-be-off.ts'
import { type VmSnapshotView } from '../../domain/vm-snapshot/vm-snapshot.ts'
import { newId } from '../../runtime/ids.ts'
import { type Op } from '../../store/op.ts'
import { mustFitQuota } from '../tenant/must-fit-quota.ts'
import { mustHaveNamespace } from '../tenant/must-have-namespace.ts'
import { type VolumeBounds } from '../volume/create-volume.ts'
import { respondWithOperation, lockVm } from '../vm/lock-vm.ts'
import { type IdOrName, requireAtMostOneName } from '../one-name.ts'
import { type NamedVm } from '../vm/named-vm.ts'
import { mustBeUsable } from './must-be-usable.ts'
import { idOfVmSnapshot } from './named-vm-snapshot.ts'
import { disksBeforeRestore, insertVmSnapshot } from './new-vm-snapshot.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface RestoreVmRequest {
  vmId?: string | null
  vmName?: string | null
  snapshotId?: string | null
  snapshotName?: string | null
  /** Stop the VM first. Without it, a restore of a running VM is refused. */
  stop?: boolean | null
  /** Take a snapshot of the current state first; true by default. */
  safetySnapshot?: boolean | null
}

export interface RestoreAnswer {
  vm: VmView
  operation: OperationView
  /** The snapshot of the state before the restore. Null when none was requested. */
  safetySnapshot: VmSnapshotView | null
}

type VmRow = Awaited<ReturnType<Op['vms']['get']>>
type SnapshotRow = Awaited<ReturnType<Op['vmSnapshots']['get']>>

/**
 * Restores a VM from a snapshot: its size immediately, its disks by the returned operation. The VM
 * is stopped afterwards. Disks that are not in the snapshot do not change. Lock order, here and
 * everywhere: the VM, the snapshot, then volumes.
 */
export async function restoreVm(
  op: Op,
  request: RestoreVmRequest,
  bounds: VolumeBounds,
): Promise<RestoreAnswer> {
  const { row: vm, mustAllow } = await lockVm(op, await vmOf(op, request))
  const snapshot = await op.vmSnapshots.get(await idOfVmSnapshot(op, snapshotIn(request)))
  const open = await openRestore(op, vm, snapshot)
  if (open) return open
  if (snapshot.vmId !== vm.id)
    throw invalid(
      request.snapshotId ? 'snapshotId' : 'snapshotName',
      messageOf('vm_snapshot.of_other_vm', { vm: vm.name }),
    )
  await mustHaveNamespace(op, vm.tenantId)
  mustBeUsable(snapshot)
  mustAllow('restore')
  if (!request.stop) mustBeOff(vm)
  await holdVolumes(op, vm, snapshot)
  const safetySnapshot =
    request.safetySnapshot === false ? null : await takeSafetySnapshot(op, { vm, snapshot }, bounds)
  const size = await sizeIn(op, { vm, snapshot }, bounds)
  op.vms.requestPower(vm, 'off')
  op.vms.requestRestore(vm, { snapshotId: snapshot.id, safetyId: safetySnapshot?.id ?? null, size })
  return { ...(await respondWithOperation(op, vm, 'restore_vm')), safetySnapshot }
}

const snapshotIn = ({ snapshotId = null, snapshotName = null }: RestoreVmRequest): IdOrName => ({
  id: snapshotId,
  name: snapshotName,
  fieldsOf: 'snapshot',
})

/**
 * Returns the VM of the snapshot when the request names none. The snapshot is read without a lock,
 * because the VM is locked first.
 */
async function vmOf(op: Op, request: RestoreVmRequest): Promise<NamedVm> {
  const { vmId = null, vmName = null } = request
  const named: NamedVm = { id: vmId, name: vmName, fieldsOf: 'vm' }
  if (requireAtMostOneName(named)) return named
  const id = await idOfVmSnapshot(op, snapshotIn(request))
  const found = await op.reads.vmSnapshots.find(id)
  if (!found) throw notFound('VM snapshot', id)
  return { id: found.vmId }
}

/** Returns the open restore of the same snapshot, if there is one. */
async function openRestore(op: Op, vm: VmRow, { id }: SnapshotRow): Promise<RestoreAnswer | null> {
  const open = await op.operations.unfinished('vm', vm.id)
  if (vm.restoreSnapshotId !== id || !open.some(({ kind }) => kind === 'restore_vm')) return null
  const safetySnapshot = vm.restoreSafetyId
    ? await op.reads.vmSnapshots.find(vm.restoreSafetyId)
    : null
  return { ...(await respondWithOperation(op, vm, 'restore_vm')), safetySnapshot }
}

/**
 * Locks the volumes of the snapshot. Each must still be attached to the VM: elsewhere it would be
 * overwritten, and a deleted one would return without an owner.
 */
async function holdVolumes(op: Op, vm: VmRow, { disks, name }: SnapshotRow): Promise<void> {
  const attachedIds = new Set((await op.reads.volumes.attachedTo([vm.id])).map(({ id }) => id))
  for (const { disk, volumeId, name: volume, included } of disks ?? []) {
    if (included && disk === 'iso' && !vm.isoInserted)
      throw new Fault('wrong_state', messageOf('vm_snapshot.iso_ejected', { name, vm: vm.name }))
    if (!included || volumeId === null) continue
    if (!attachedIds.has(volumeId))
      throw new Fault(
        'wrong_state',
        messageOf('vm_snapshot.volume_elsewhere', { volume, name, vm: vm.name }),
      )
    await op.volumes.get(volumeId)
  }
}

const maxNameLength = 50

/** The number and size of the current disks may differ from those in the restored snapshot. */
async function takeSafetySnapshot(
  op: Op,
  { vm, snapshot }: { vm: VmRow; snapshot: SnapshotRow },
  { quotaDefaults: defaults, storageClasses }: VolumeBounds,
): Promise<VmSnapshotView> {
  const suffix = `-${newId().slice(-6)}`
  const name =
    `before-${snapshot.name}`.slice(0, maxNameLength - suffix.length).replace(/-+$/, '') + suffix
  await mustFitQuota(op, { tenantId: vm.tenantId, defaults, requested: { snapshots: 1 } })
  const { vmSnapshot } = await insertVmSnapshot(op, vm, {
    name,
    origin: 'safety',
    disks: await disksBeforeRestore(op, vm, storageClasses),
  })
  return vmSnapshot
}

/** Returns the size in the snapshot. Refuses it when it exceeds the quota now. */
async function sizeIn(
  op: Op,
  { vm, snapshot }: { vm: VmRow; snapshot: SnapshotRow },
  { quotaDefaults: defaults }: VolumeBounds,
): Promise<VmSize> {
  const { cpu, memoryMi, dedicatedCpu, serviceOfferingId = null } = snapshot
  const requested = {
    vcpus: Math.max(0, cpu - vm.cpu),
    memoryMi: Math.max(0, memoryMi - vm.memoryMi),
  }
  await mustFitQuota(op, { tenantId: vm.tenantId, defaults, requested })
  return { cpu, memoryMi, dedicatedCpu, serviceOfferingId }
}
