import { Fault, transient } from '../../engine/model/fault.ts'
import { type OperationKind } from '../../domain/nouns.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type StorageClasses } from '../../domain/storage-class/storage-class.ts'
import { type VolumeAction, mustAllow } from '../../domain/volume/refusals.ts'
import { type VolumeView } from '../../domain/volume/volume.ts'
import { type Op } from '../../store/op.ts'
import { openOrJoinOperation } from '../operation/open-operation.ts'
import { writtenRow } from '../written-row.ts'
import { messageOf } from '../../engine/model/message.ts'

export type VolumeRow = Awaited<ReturnType<Op['volumes']['get']>>

export interface VolumeAnswer {
  volume: VolumeView
  operation: OperationView
}

/** Returns the volume, locked until the unit of work ends, and records it in the audit row. */
export async function lockVolume(op: Op, id: string): Promise<VolumeRow> {
  const row = await op.volumes.get(id)
  op.audit.setTarget('volume', { id: row.id, name: row.name, tenantId: row.tenantId })
  if (row.vmId && (await op.vms.busyWith(row.vmId)) === 'restore')
    throw new Fault('wrong_state', messageOf('volume.restoring', { name: row.name }), transient)
  return row
}

/** Throws the refusal of the action, if there is one. Some refusals depend on the storage class. */
export const mustAllowVolume = (
  action: VolumeAction,
  row: VolumeRow,
  classes: StorageClasses = null,
): void => mustAllow(action, ruledOf(row), classes)

const ruledOf = (row: VolumeRow): Parameters<typeof mustAllow>[1] => ({
  name: row.name,
  state: row.failedAt ? 'failed' : row.state,
  deleting: Boolean(row.deleteRequestedAt),
  vmId: row.vmId ?? null,
  heldBy: row.heldBy ?? null,
  bound: row.bound,
  storageClass: row.storageClass,
})

/** Opens the operation for the written row. A repeated request returns the open one. */
export async function respondWithOperation(
  op: Op,
  row: VolumeRow,
  kind: OperationKind,
): Promise<VolumeAnswer> {
  const { id, name, tenantId } = row
  return {
    volume: await volumeAfter(op, row),
    operation: await openOrJoinOperation(op, kind, { kind: 'volume', id, name, tenantId }),
  }
}

/** Returns the volume after the write to its row, and adds it to the change log. */
export const volumeAfter = (op: Op, row: VolumeRow): Promise<VolumeView> =>
  writtenRow(op, { kind: 'volume', before: row }, (id) => op.reads.volumes.find(id))
