import { type ChangeKind } from '../../engine/model/change.ts'
import { notFound } from '../../engine/model/fault.ts'
import { type OperationKind, operationKinds } from '../../domain/nouns.ts'
import { deadlineSecondsOf } from '../../domain/operation/kind.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { initialProgress } from '../../domain/operation/progress.ts'
import { type Op } from '../../store/op.ts'

export interface OperationTarget {
  kind: ChangeKind
  id: string
  name: string
  tenantId: string
}

/** Returns the open operation of this kind on the target, or opens a new one. */
export async function openOrJoinOperation(
  op: Op,
  kind: OperationKind,
  target: OperationTarget,
): Promise<OperationView> {
  const running = (await op.operations.unfinished(target.kind, target.id)).find(
    (operation) => operation.kind === kind,
  )
  if (!running) return openOperation(op, kind, target)
  const operation = await op.reads.operations.find(running.id)
  if (!operation) throw notFound('operation', running.id)
  op.work.enqueue(target.kind, target)
  return operation
}

/** Opens the operation of a mutation and enqueues its reconciler. */
export async function openOperation(
  op: Op,
  kind: OperationKind,
  target: OperationTarget,
): Promise<OperationView> {
  const operation = await op.operations.open({
    kind,
    cancellable: operationKinds[kind].cancellable,
    steps: initialProgress(kind).steps,
    deadlineSeconds: deadlineSecondsOf(kind, op.deadlineFactor),
    tenantId: target.tenantId,
    targetKind: target.kind,
    targetId: target.id,
    targetName: target.name,
    actorId: op.viewer.userId,
    actorName: op.viewer.username,
    requestId: op.requestId,
  })
  op.changes.record('operation', {
    id: operation.id,
    version: operation.version,
    tenantId: target.tenantId,
  })
  op.work.enqueue(target.kind, { id: target.id, tenantId: target.tenantId })
  return operation
}
