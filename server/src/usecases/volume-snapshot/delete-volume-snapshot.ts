import { Fault, transient } from '../../engine/model/fault.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type VolumeSnapshotView } from '../../domain/volume-snapshot/volume-snapshot.ts'
import { type VersionedRequest, mustBeVersion } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'
import { openOrJoinOperation } from '../operation/open-operation.ts'
import { writtenRow } from '../written-row.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface VolumeSnapshotAnswer {
  volumeSnapshot: VolumeSnapshotView
  operation: OperationView
}

/**
 * Requests the deletion of a snapshot. Volumes created from it remain. A repeated request returns
 * the open operation.
 */
export async function deleteVolumeSnapshot(
  op: Op,
  request: VersionedRequest,
): Promise<VolumeSnapshotAnswer> {
  const row = await op.volumeSnapshots.get(request.id)
  const { id, name, tenantId } = row
  op.audit.setTarget('volume_snapshot', { id, name, tenantId })
  mustBeVersion('snapshot', row, request.ifVersion)
  if ((await op.volumes.countPendingFrom(id)) > 0)
    throw new Fault('in_use', messageOf('snapshot.restoring', { name }), transient)
  if (!row.deleteRequestedAt) op.volumeSnapshots.requestDelete(row)
  const volumeSnapshot = await writtenRow(op, { kind: 'volume_snapshot', before: row }, () =>
    op.reads.volumeSnapshots.find(id),
  )
  const operation = await openOrJoinOperation(op, 'delete_volume_snapshot', {
    kind: 'volume_snapshot',
    id,
    name,
    tenantId,
  })
  return { volumeSnapshot, operation }
}
