import { notFound } from '../../engine/model/fault.ts'
import { cancelRefusal } from '../../domain/operation/cancel-refusal.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type Op } from '../../store/op.ts'

/**
 * Requests the cancellation of an operation. It ends as cancelled when its reconciler notices the
 * request.
 */
export async function cancelOperation(
  op: Op,
  request: { id: string },
): Promise<{ operation: OperationView }> {
  const row = await op.operations.get(request.id)
  op.audit.setTarget('operation', {
    id: row.id,
    name: `${row.kind} ${row.targetName}`,
    tenantId: row.tenantId,
  })
  const refusal = cancelRefusal(row, op.viewer)
  if (refusal) throw refusal
  op.operations.requestCancel(row)
  await op.flush()
  op.work.enqueue(row.targetKind, { id: row.targetId, tenantId: row.tenantId })
  const operation = await op.reads.operations.find(row.id)
  if (!operation) throw notFound('operation', request.id)
  op.changes.record('operation', { id: row.id, version: operation.version, tenantId: row.tenantId })
  return { operation }
}
