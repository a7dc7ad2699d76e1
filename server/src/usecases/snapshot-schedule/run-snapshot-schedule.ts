import { Fault } from '../../engine/model/fault.ts'
import { snapshotNameOf } from '../../domain/snapshot-schedule/snapshot-name.ts'
import { type Op } from '../../store/op.ts'
import { createVmSnapshot } from '../vm-snapshot/create-vm-snapshot.ts'
import { deleteVmSnapshot } from '../vm-snapshot/delete-vm-snapshot.ts'
import { createVolumeSnapshot } from '../volume-snapshot/create-volume-snapshot.ts'
import { deleteVolumeSnapshot } from '../volume-snapshot/delete-volume-snapshot.ts'
import { type VolumeBounds } from '../volume/create-volume.ts'

type Row = NonNullable<Awaited<ReturnType<Op['snapshotSchedules']['row']>>>

/** Requests the snapshot that is due, with the use case for users. Returns its id. */
export async function takeDueSnapshot(
  op: Op,
  row: Row,
  { dueMs, bounds }: { dueMs: number; bounds: VolumeBounds },
): Promise<string> {
  const schedule = { id: row.id, dueAt: new Date(dueMs).toISOString() }
  const name = snapshotNameOf(row.name, dueMs)
  const { volumeId, vmId, acceptMissing } = row
  if (volumeId)
    return (await createVolumeSnapshot(op, { volumeId, name, schedule }, bounds)).volumeSnapshot.id
  return (await createVmSnapshot(op, { vmId, name, acceptMissing, schedule }, bounds)).vmSnapshot.id
}

/**
 * Requests the deletion of surplus snapshots. One that is in use is tried again after the next run.
 */
export async function removeSurplus(
  op: Op,
  { vmId }: Pick<Row, 'vmId'>,
  ids: readonly string[],
): Promise<void> {
  const remove = vmId ? deleteVmSnapshot : deleteVolumeSnapshot
  for (const id of ids)
    await remove(op, { id }).catch((error: unknown) => {
      if (!(error instanceof Fault && error.code === 'in_use')) throw error
    })
}
