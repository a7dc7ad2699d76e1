import { type OperationView } from '../../../domain/operation/operation.ts'
import { batchReadNewest } from '../batch-read.ts'
import { readsOf } from '../node/find-object.ts'
import { type NodeKind } from '../node/node-kinds.ts'

/** Returns the function that reads the newest operations on an object of this kind. */
export const newestOperationsOn = (kind: NodeKind) =>
  batchReadNewest<OperationView>(
    (request, ids, first) => readsOf(request).operations.newestOn(kind, ids, first),
    ({ targetId }) => targetId,
  )
