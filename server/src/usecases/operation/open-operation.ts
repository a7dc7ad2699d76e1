import { type OperationKind, operationKinds } from '../../domain/operation/kind.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { freshProgress } from '../../domain/operation/progress.ts'
import { type Op } from '../../store/op.ts'

export interface OperationTarget {
  kind: 'tenant' | 'vm' | 'vm_template'
  id: string
  name: string
  tenantId: string
}

/** Makes the promise that a mutation leaves behind, and asks a reconciler to keep it. */
export async function openOperation(op: Op, kind: OperationKind, target: OperationTarget): Promise<OperationView> {
  const { deadlineMs, cancellable } = operationKinds[kind]
  const operation = await op.operations.open({
    kind,
    cancellable,
    steps: freshProgress(kind).steps,
    deadlineSeconds: deadlineMs / 1000,
    tenantId: target.tenantId,
    targetKind: target.kind,
    targetId: target.id,
    targetName: target.name,
    actorId: op.viewer.userId,
    actorName: op.viewer.username,
    requestId: op.requestId,
  })
  op.changes.note('operation', { id: operation.id, version: operation.version, tenantId: target.tenantId })
  op.work.ring(target.kind, { id: target.id, tenantId: target.tenantId })
  return operation
}
