import { Fault, transient } from '../../engine/model/fault.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type VmSnapshotView } from '../../domain/vm-snapshot/vm-snapshot.ts'
import { type Op } from '../../store/op.ts'
import { openOrJoinOperation } from '../operation/open-operation.ts'
import { type IdOrName } from '../one-name.ts'
import { writtenRow } from '../written-row.ts'
import { idOfVmSnapshot } from './named-vm-snapshot.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface VmSnapshotAnswer {
  vmSnapshot: VmSnapshotView
  operation: OperationView
}

/**
 * Requests the deletion of a snapshot and its storage. A repeated request returns the open
 * operation.
 */
export async function deleteVmSnapshot(op: Op, request: IdOrName): Promise<VmSnapshotAnswer> {
  const row = await op.vmSnapshots.get(await idOfVmSnapshot(op, request))
  const { id, name, tenantId } = row
  op.audit.setTarget('vm_snapshot', { id, name, tenantId })
  if (await op.vmSnapshots.isInUse(id))
    throw new Fault('in_use', messageOf('vm_snapshot.in_use', { name }), transient)
  if (!row.deleteRequestedAt) op.vmSnapshots.requestDelete(row)
  const vmSnapshot = await writtenRow(op, { kind: 'vm_snapshot', before: row }, () =>
    op.reads.vmSnapshots.find(id),
  )
  const operation = await openOrJoinOperation(op, 'delete_vm_snapshot', {
    kind: 'vm_snapshot',
    id,
    name,
    tenantId,
  })
  return { vmSnapshot, operation }
}
