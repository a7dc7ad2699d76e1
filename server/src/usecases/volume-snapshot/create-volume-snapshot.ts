import { Fault } from '../../engine/model/fault.ts'
import { requireSlug } from '../../engine/model/name.ts'
import { type Op } from '../../store/op.ts'
import { type DueSchedule } from '../../store/vm-snapshot/snapshot-store.ts'
import { openOperation } from '../operation/open-operation.ts'
import { mustFit } from '../tenant/must-fit.ts'
import { mustHaveRoom } from '../tenant/must-have-room.ts'
import { type VolumeBounds } from '../volume/create-volume.ts'
import { mustAllowVolume, volumeToChange } from '../volume/own-volume.ts'
import { type VolumeSnapshotAnswer } from './delete-volume-snapshot.ts'
import { messageOf } from '../../engine/model/message.ts'

interface NewVolumeSnapshot {
  volumeId: string
  name: string
  /** Which takes it, where nobody asks. */
  schedule?: DueSchedule | null
}

/**
 * Asks for what is on a volume now to be kept, also while a machine writes to it; it is then as
 * after a power cut.
 */
export async function createVolumeSnapshot(
  op: Op,
  asked: NewVolumeSnapshot,
  { storageClasses, quotaDefaults: defaults }: VolumeBounds,
): Promise<VolumeSnapshotAnswer> {
  const name = requireSlug(asked.name, 'name')
  // Locked, so that nobody deletes it in between.
  const volume = await volumeToChange(op, asked.volumeId)
  const { tenantId, storageClass, sizeGi } = volume
  await mustHaveRoom(op, tenantId)
  mustAllowVolume('snapshot', volume, storageClasses)
  const snapshotClass = storageClasses?.find((each) => each.name === storageClass)?.snapshotClass
  if (!snapshotClass)
    throw new TypeError('a storage class that takes snapshots has a class for them')
  if (await op.volumeSnapshots.nameTaken(tenantId, name))
    throw new Fault('already_exists', messageOf('snapshot.name_taken', { name }))
  await mustFit(op, { tenantId, defaults, asked: { snapshots: 1 } })
  const origin = { volumeId: volume.id, volumeName: volume.name, sizeGi: volume.grownGi ?? sizeGi }
  const volumeSnapshot = await op.volumeSnapshots.insert({
    tenantId,
    name,
    storageClass,
    snapshotClass,
    ...origin,
    schedule: asked.schedule ?? null,
  })
  const { id, version } = volumeSnapshot
  op.changes.note('volume_snapshot', { id, version, tenantId })
  op.audit.about('volume_snapshot', { id, name, tenantId })
  return {
    volumeSnapshot,
    operation: await openOperation(op, 'create_volume_snapshot', {
      kind: 'volume_snapshot',
      id,
      name,
      tenantId,
    }),
  }
}
