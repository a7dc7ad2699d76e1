import { Fault } from '../../engine/model/fault.ts'
import { requireName } from '../../engine/model/name.ts'
import { type Op } from '../../store/op.ts'
import { type DueSchedule } from '../../store/vm-snapshot/snapshot-store.ts'
import { openOperation } from '../operation/open-operation.ts'
import { mustFitQuota } from '../tenant/must-fit-quota.ts'
import { mustHaveNamespace } from '../tenant/must-have-namespace.ts'
import { type VolumeBounds } from '../volume/create-volume.ts'
import { mustAllowVolume, lockVolume } from '../volume/lock-volume.ts'
import { type VolumeSnapshotAnswer } from './delete-volume-snapshot.ts'
import { messageOf } from '../../engine/model/message.ts'

interface NewVolumeSnapshot {
  volumeId: string
  name: string
  /** The schedule that takes it; null for a request of a user. */
  schedule?: DueSchedule | null
}

/**
 * Requests a snapshot of a volume, also while a VM writes to it. Its content is then like after a
 * power failure.
 */
export async function createVolumeSnapshot(
  op: Op,
  request: NewVolumeSnapshot,
  { storageClasses, quotaDefaults: defaults }: VolumeBounds,
): Promise<VolumeSnapshotAnswer> {
  const name = requireName(request.name, 'name')
  // The lock prevents a deletion before the snapshot is requested.
  const volume = await lockVolume(op, request.volumeId)
  const { tenantId, storageClass, sizeGi } = volume
  await mustHaveNamespace(op, tenantId)
  mustAllowVolume('snapshot', volume, storageClasses)
  const snapshotClass = storageClasses?.find((each) => each.name === storageClass)?.snapshotClass
  if (!snapshotClass)
    throw new TypeError('a storage class that supports snapshots has no snapshot class')
  const taken = await op.volumeSnapshots.takenName(tenantId, name)
  if (taken) throw new Fault('already_exists', messageOf('snapshot.name_taken', { name }), taken)
  await mustFitQuota(op, { tenantId, defaults, requested: { snapshots: 1 } })
  const origin = { volumeId: volume.id, volumeName: volume.name, sizeGi: volume.grownGi ?? sizeGi }
  const volumeSnapshot = await op.volumeSnapshots.insert({
    tenantId,
    name,
    storageClass,
    snapshotClass,
    ...origin,
    schedule: request.schedule ?? null,
  })
  const { id, version } = volumeSnapshot
  op.changes.record('volume_snapshot', { id, version, tenantId })
  op.audit.setTarget('volume_snapshot', { id, name, tenantId })
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
