import { Fault, notFound } from '../../engine/model/fault.ts'
import { may } from '../../engine/model/viewer.ts'
import { operationKinds } from '../../domain/nouns.ts'
import { isFinal } from '../../domain/operation/lifecycle.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type Op } from '../../store/op.ts'
import { messageOf } from '../../engine/model/message.ts'

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
  mustMayCancel(op, row.kind)
  if (isFinal(row.state))
    throw new Fault('wrong_state', messageOf('operation.ended', { state: row.state }))
  if (!row.cancellable) throw new Fault('wrong_state', messageOf('operation.fixed'))
  op.operations.requestCancel(row)
  await op.flush()
  op.work.enqueue(row.targetKind, { id: row.targetId, tenantId: row.tenantId })
  const operation = await op.reads.operations.find(row.id)
  if (!operation) throw notFound('operation', request.id)
  op.changes.record('operation', { id: row.id, version: operation.version, tenantId: row.tenantId })
  return { operation }
}

function mustMayCancel({ viewer }: Op, kind: string): void {
  const plan = Object.entries(operationKinds).find(([name]) => name === kind)?.[1]
  // A kind of an earlier release: nothing reconciles it, so nothing could cancel it.
  if (!plan) throw new Fault('wrong_state', messageOf('operation.fixed'))
  const { cancelPermission: permission } = plan
  if (!may(viewer, permission))
    throw new Fault('forbidden', messageOf('operation.not_yours', { permission }))
}
