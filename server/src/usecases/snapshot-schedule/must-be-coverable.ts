import { type SnapshotScheduleView } from '../../domain/snapshot-schedule/snapshot-schedule.ts'
import { mustAllow } from '../../domain/volume/refusals.ts'
import { coverageRefusal } from '../../domain/vm-snapshot/machine-disks.ts'
import { type Op } from '../../store/op.ts'
import { vmToChange } from '../vm/own-vm.ts'
import { presentDisks } from '../vm-snapshot/new-vm-snapshot.ts'
import { type VolumeBounds } from '../volume/create-volume.ts'
import { volumeToChange } from '../volume/own-volume.ts'

type Wanted = Pick<SnapshotScheduleView, 'volumeId' | 'vmId' | 'acceptMissing'>

/**
 * Refuses a schedule of what could never be taken, or only with disks missing; what only hinders it
 * now is no obstacle.
 */
export async function mustBeCoverable(
  op: Op,
  { volumeId, vmId, acceptMissing }: Wanted,
  bounds: VolumeBounds,
): Promise<void> {
  if (vmId === null) {
    const volume = await volumeToChange(op, volumeId ?? '')
    const { name, storageClass, failedAt, deleteRequestedAt } = volume
    // One that takes no room yet will, at its first use.
    const soon = {
      name,
      storageClass,
      state: failedAt ? 'failed' : 'ready',
      vmId: null,
      heldBy: null,
      bound: true,
    } as const
    return mustAllow(
      'snapshot',
      { ...soon, deleting: Boolean(deleteRequestedAt) },
      bounds.storageClasses,
    )
  }
  const { row, mustAllow: mustAllowVm } = await vmToChange(op, { id: vmId })
  // What is allowed of every machine that is there and is to stay.
  mustAllowVm('rename')
  const refusal = acceptMissing
    ? null
    : coverageRefusal(row.name, await presentDisks(op, row, bounds.storageClasses))
  if (refusal) throw refusal
}
