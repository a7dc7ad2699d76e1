import { Fault } from '../../engine/model/fault.ts'
import { type StorageClasses } from '../../domain/storage-class/storage-class.ts'
import { vmSnapshotRefusal } from '../../domain/volume/refusals.ts'
import { type VmDisk } from '../../domain/vm-snapshot/coverage.ts'
import { vmDisksOf } from '../../domain/vm-snapshot/vm-disks.ts'
import { snapshotNicsFrom } from '../../domain/vm-snapshot/snapshot-nics.ts'
import { type VmSnapshotOrigin } from '../../domain/vm-snapshot/vm-snapshot.ts'
import { type Op } from '../../store/op.ts'
import { type DueSchedule } from '../../store/vm-snapshot/snapshot-store.ts'
import { openOperation } from '../operation/open-operation.ts'
import { type VmSnapshotAnswer } from './delete-vm-snapshot.ts'
import { messageOf } from '../../engine/model/message.ts'

type VmRow = Awaited<ReturnType<Op['vms']['get']>>

/** Returns the current disks of a VM. Throws the refusal when a volume prevents a snapshot. */
export async function disksOf(op: Op, vm: VmRow, classes: StorageClasses): Promise<VmDisk[]> {
  const volumes = await op.reads.volumes.attachedTo([vm.id])
  for (const volume of volumes) {
    const refusal = vmSnapshotRefusal(volume, vm)
    if (refusal) throw refusal
  }
  return disksWith(vm, volumes, classes)
}

/** Returns the current disks of a VM for the safety snapshot, without which it can be restored. */
export async function disksBeforeRestore(
  op: Op,
  vm: VmRow,
  classes: StorageClasses,
): Promise<VmDisk[]> {
  try {
    return await disksOf(op, vm, classes)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const { code, userMessage: problem, isTransient } = error
    const sentence = messageOf('vm_snapshot.no_safety_snapshot', { problem })
    throw new Fault(code, sentence, { transient: isTransient, cause: error })
  }
}

/** Returns the disks of a VM, including volumes that are bound only at the next start. */
export const currentDisks = async (op: Op, vm: VmRow, classes: StorageClasses): Promise<VmDisk[]> =>
  disksWith(vm, await op.reads.volumes.attachedTo([vm.id]), classes)

function disksWith(
  vm: VmRow,
  volumes: Parameters<typeof vmDisksOf>[1],
  classes: StorageClasses,
): VmDisk[] {
  const { rootDisk, bootDiskSizeGi, storageClass = null } = vm
  // A running VMI may have the ISO until it ends.
  const isoSizeGi = vm.isoInserted || vm.isoUid ? (vm.isoSizeGi ?? null) : null
  return vmDisksOf({ rootDisk, bootDiskSizeGi, storageClass, isoSizeGi }, volumes, classes)
}

interface SnapshotRequest {
  name: string
  origin: Exclude<VmSnapshotOrigin, 'schedule'>
  /** The schedule that takes it. Null for a user or a restore. */
  schedule?: DueSchedule | null
  disks: readonly VmDisk[]
}

/** Inserts the snapshot row and opens its operation. */
export async function insertVmSnapshot(
  op: Op,
  vm: VmRow,
  { name, origin, schedule = null, disks }: SnapshotRequest,
): Promise<VmSnapshotAnswer> {
  const { tenantId, cpu, memoryMi, dedicatedCpu, serviceOfferingId = null } = vm
  const nics = snapshotNicsFrom(await op.reads.nics.desiredOf(vm.id))
  const vmSnapshot = await op.vmSnapshots.insert({
    tenantId,
    name,
    schedule,
    vmId: vm.id,
    vmName: vm.name,
    vmDisks: disks,
    nics,
    origin: schedule ? 'schedule' : origin,
    cpu,
    memoryMi,
    dedicatedCpu,
    serviceOfferingId,
  })
  const { id, version } = vmSnapshot
  op.changes.record('vm_snapshot', { id, version, tenantId })
  return {
    vmSnapshot,
    operation: await openOperation(op, 'create_vm_snapshot', {
      kind: 'vm_snapshot',
      id,
      name,
      tenantId,
    }),
  }
}
