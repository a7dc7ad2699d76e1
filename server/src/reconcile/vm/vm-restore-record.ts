import { type FaultCode } from '../../engine/model/fault.ts'
import { type DesiredRestore } from '../../domain/vm/restore-step.ts'
import { rootVolumeOf, vmObjectNames } from '../../domain/vm/object-names.ts'
import { type CoveredDisk } from '../../domain/vm-snapshot/coverage.ts'
import { volumeName } from '../../domain/volume/object-names.ts'
import { type Op } from '../../store/op.ts'
import { OpenOperations } from '../open-operations.ts'
import { type VmRow } from './vm-status.ts'
import { type Message } from '../../engine/model/message.ts'

/*
 * The database reads and writes of the reconciler of VMs while it restores a VM from a snapshot.
 */

/** The desired restore, with everything needed to carry it out. */
export interface RestoreTarget extends DesiredRestore {
  snapshotId: string
  disks: readonly CoveredDisk[]
}

/** Returns null when no restore is requested, or it has ended. */
export async function loadDesired(
  op: Op,
  vm: VmRow,
  operations: OpenOperations,
): Promise<RestoreTarget | null> {
  const { restoreId: id, restoreSnapshotId: snapshotId, restoreSafetyId: safetyId } = vm
  if (!id || !snapshotId || id === vm.restoredId || vm.goneAt) return null
  const snapshot = await op.reads.vmSnapshots.find(snapshotId)
  return {
    id,
    snapshotId,
    disks: (snapshot?.disks ?? []).filter(({ included }) => included),
    hasOpenOperation: operations.isOpen('restore_vm'),
    isStarted: vm.restoreBegunId === id,
    safety: safetyId ? await safetyOf(op, safetyId) : 'none',
    isKnownOff: operations.isStepDone('restore_vm', 'off'),
    isKnownSafe: operations.isStepDone('restore_vm', 'safety'),
  }
}

async function safetyOf(op: Op, id: string): Promise<DesiredRestore['safety']> {
  const safety = await op.reads.vmSnapshots.find(id)
  if (!safety || safety.deleting || safety.state === 'failed') return 'failed'
  return safety.takenAt === null ? 'coming' : 'kept'
}

/** Returns the name of the DataVolume that owns the claim of a disk. */
export const dataVolumeOf = (
  vm: Pick<VmRow, 'id' | 'rootClaim'>,
  { disk, volumeId }: CoveredDisk,
): string => {
  if (volumeId !== null) return volumeName(volumeId)
  return disk === 'iso' ? vmObjectNames.iso(vm.id) : rootVolumeOf(vm)
}

const isStillDesired = (vm: VmRow | null, id: string): vm is VmRow =>
  vm !== null && !vm.goneAt && vm.restoreId === id && vm.restoredId !== id

const operationsOn = (op: Op, { id }: VmRow): Promise<OpenOperations> =>
  OpenOperations.on(op, { kind: 'vm', id })

/** Finishes a step of the restore and begins the next one. */
export async function advance(
  op: Op,
  vm: VmRow | null,
  { id, step, next }: { id: string; step: string; next: string },
): Promise<void> {
  if (!isStillDesired(vm, id)) return
  const operations = await operationsOn(op, vm)
  operations.finish('restore_vm', step)
  operations.begin('restore_vm', next)
}

export async function begun(op: Op, vm: VmRow | null, id: string): Promise<void> {
  if (!isStillDesired(vm, id)) return
  op.vms.beginRestore(vm)
  await advance(op, vm, { id, step: 'disks', next: 'restored' })
}

export async function fail(
  op: Op,
  vm: VmRow | null,
  { id, code, detail }: { id: string; code: FaultCode; detail: Message },
): Promise<void> {
  if (!isStillDesired(vm, id)) return
  const operations = await operationsOn(op, vm)
  operations.failKind('restore_vm', { code, detail })
}

/**
 * Ends the restore, whether it succeeded or not. The VM is applied again, and its volumes are
 * reconciled after that.
 */
export function end(
  op: Op,
  vm: VmRow | null,
  { id, isDone = false }: { id: string; isDone?: boolean },
): void {
  if (!isStillDesired(vm, id)) return
  op.vms.endRestore(vm, { isDone })
  op.changes.record('vm', { id: vm.id, version: vm.version + 1, tenantId: vm.tenantId })
}

export async function finish(
  op: Op,
  vm: VmRow | null,
  { id, disks }: RestoreTarget,
): Promise<void> {
  if (!isStillDesired(vm, id)) return
  for (const { volumeId, sizeGi } of disks)
    if (volumeId !== null) await shrinkTo(op, volumeId, sizeGi)
  const operations = await operationsOn(op, vm)
  operations.complete('restore_vm')
  end(op, vm, { id, isDone: true })
}

/**
 * Records that the restore made a grown volume smaller again. The requested size stays, so the
 * volume grows again.
 */
async function shrinkTo(op: Op, volumeId: string, sizeGi: number): Promise<void> {
  const volume = await op.volumes.row(volumeId)
  if (!volume?.grownGi || volume.goneAt || volume.grownGi <= sizeGi) return
  op.volumes.remember(volume, { grownGi: sizeGi })
  op.changes.record('volume', {
    id: volume.id,
    version: volume.version + 1,
    tenantId: volume.tenantId,
  })
}
