import { type OperationView } from '../../../domain/operation/operation.ts'
import { batchReadNewest } from '../batch-read.ts'
import { type NodeKind } from '../context.ts'
import { readsOf } from '../node/find-object.ts'

/** Returns the function that reads the newest operations on an object of this kind. */
export const newestOperationsOn = (kind: NodeKind) =>
  batchReadNewest<OperationView>(
    (request, ids, first) => readsOf(request).operations.newestOn(kind, ids, first),
    ({ targetId }) => targetId,
  )
