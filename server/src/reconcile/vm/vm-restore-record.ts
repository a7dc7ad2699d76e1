import { type FaultCode } from '../../engine/model/fault.ts'
import { type AskedRestore } from '../../domain/vm/restore-step.ts'
import { vmParts } from '../../domain/vm/parts.ts'
import { type CoveredDisk } from '../../domain/vm-snapshot/coverage.ts'
import { volumeName } from '../../domain/volume/parts.ts'
import { type Op } from '../../store/op.ts'
import { Promises } from '../promise.ts'
import { type VmRow } from './vm-found.ts'
import { type Message } from '../../engine/model/message.ts'

/** What a machine is to become again, with everything that it takes to carry it out. */
export interface RestoreToKeep extends AskedRestore {
  snapshotId: string
  disks: readonly CoveredDisk[]
}

/** Null where nothing is to be brought back, or all of it is over. */
export async function askedOf(
  op: Op,
  vm: VmRow,
  promises: Promises,
): Promise<RestoreToKeep | null> {
  const { restoreId: id, restoreSnapshotId: snapshotId, restoreSafetyId: safetyId } = vm
  if (!id || !snapshotId || id === vm.restoredId || vm.goneAt) return null
  const snapshot = await op.reads.vmSnapshots.find(snapshotId)
  return {
    id,
    snapshotId,
    disks: (snapshot?.disks ?? []).filter(({ included }) => included),
    isPromised: promises.isOpen('restore_vm'),
    isBegun: vm.restoreBegunId === id,
    safety: safetyId ? await safetyOf(op, safetyId) : 'none',
    isKnownOff: promises.hasDone('restore_vm', 'off'),
    isKnownSafe: promises.hasDone('restore_vm', 'safety'),
  }
}

async function safetyOf(op: Op, id: string): Promise<AskedRestore['safety']> {
  const safety = await op.reads.vmSnapshots.find(id)
  if (!safety || safety.deleting || safety.state === 'failed') return 'failed'
  return safety.takenAt === null ? 'coming' : 'kept'
}

/** What bears the claim of a disk. */
export const dataVolumeOf = (vmId: string, { disk, volumeId }: CoveredDisk): string => {
  if (volumeId !== null) return volumeName(volumeId)
  return disk === 'iso' ? vmParts.iso(vmId) : vmParts.disk(vmId)
}

const isStillAsked = (vm: VmRow | null, id: string): vm is VmRow =>
  vm !== null && !vm.goneAt && vm.restoreId === id && vm.restoredId !== id

const on = (op: Op, { id }: VmRow): Promise<Promises> => Promises.on(op, { kind: 'vm', id })

/** A step is done, and the next one is under way. */
export async function passed(
  op: Op,
  vm: VmRow | null,
  { id, step, next }: { id: string; step: string; next: string },
): Promise<void> {
  if (!isStillAsked(vm, id)) return
  const promises = await on(op, vm)
  promises.finish('restore_vm', step)
  promises.begin('restore_vm', next)
}

export async function begun(op: Op, vm: VmRow | null, id: string): Promise<void> {
  if (!isStillAsked(vm, id)) return
  op.vms.beginRestore(vm)
  await passed(op, vm, { id, step: 'disks', next: 'restored' })
}

export async function fail(
  op: Op,
  vm: VmRow | null,
  { id, code, detail }: { id: string; code: FaultCode; detail: Message },
): Promise<void> {
  if (!isStillAsked(vm, id)) return
  const promises = await on(op, vm)
  promises.refuse('restore_vm', { code, detail })
}

/**
 * All of it is over in the cluster, however it went; the machine is told anew, and its volumes are
 * looked at after that.
 */
export function end(
  op: Op,
  vm: VmRow | null,
  { id, isDone = false }: { id: string; isDone?: boolean },
): void {
  if (!isStillAsked(vm, id)) return
  op.vms.endRestore(vm, { isDone })
  op.changes.note('vm', { id: vm.id, version: vm.version + 1, tenantId: vm.tenantId })
}

export async function finish(
  op: Op,
  vm: VmRow | null,
  { id, disks }: RestoreToKeep,
): Promise<void> {
  if (!isStillAsked(vm, id)) return
  for (const { volumeId, sizeGi } of disks)
    if (volumeId !== null) await shrinkTo(op, volumeId, sizeGi)
  const promises = await on(op, vm)
  promises.complete('restore_vm')
  end(op, vm, { id, isDone: true })
}

/**
 * A volume that has grown since then is as small as it was; what was asked stands, so it grows
 * again.
 */
async function shrinkTo(op: Op, volumeId: string, sizeGi: number): Promise<void> {
  const volume = await op.volumes.row(volumeId)
  if (!volume?.grownGi || volume.goneAt || volume.grownGi <= sizeGi) return
  op.volumes.remember(volume, { grownGi: sizeGi })
  op.changes.note('volume', {
    id: volume.id,
    version: volume.version + 1,
    tenantId: volume.tenantId,
  })
}
