import { type SnapshotScheduleView } from '../../domain/snapshot-schedule/snapshot-schedule.ts'
import { mustAllow } from '../../domain/volume/refusals.ts'
import { coverageRefusal } from '../../domain/vm-snapshot/vm-disks.ts'
import { type Op } from '../../store/op.ts'
import { lockVm } from '../vm/lock-vm.ts'
import { currentDisks } from '../vm-snapshot/new-vm-snapshot.ts'
import { type VolumeBounds } from '../volume/create-volume.ts'
import { lockVolume } from '../volume/lock-volume.ts'

type ScheduleTarget = Pick<SnapshotScheduleView, 'volumeId' | 'vmId' | 'acceptMissing'>

/**
 * Refuses a schedule whose snapshots could never be taken, or could not cover all disks. A
 * temporary obstacle does not matter.
 */
export async function mustBeCoverable(
  op: Op,
  { volumeId, vmId, acceptMissing }: ScheduleTarget,
  bounds: VolumeBounds,
): Promise<void> {
  if (vmId === null) {
    const volume = await lockVolume(op, volumeId ?? '')
    const { name, storageClass, failedAt, deleteRequestedAt } = volume
    // A volume that is not bound yet will be at its first use.
    const boundVolume = {
      name,
      storageClass,
      state: failedAt ? 'failed' : 'ready',
      vmId: null,
      heldBy: null,
      bound: true,
    } as const
    return mustAllow(
      'snapshot',
      { ...boundVolume, deleting: Boolean(deleteRequestedAt) },
      bounds.storageClasses,
    )
  }
  const { row, mustBeChangeable } = await lockVm(op, { id: vmId })
  mustBeChangeable()
  const refusal = acceptMissing
    ? null
    : coverageRefusal(row.name, await currentDisks(op, row, bounds.storageClasses))
  if (refusal) throw refusal
}
