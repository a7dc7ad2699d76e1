import { restoreRefusal } from '../../domain/volume-snapshot/volume-snapshot.ts'
import { type Op } from '../../store/op.ts'

type Row = Awaited<ReturnType<Op['vmSnapshots']['get']>>

/** Throws why nothing can be made from the snapshot now, if there is a reason. */
export function mustBeUsable({ name, state, deleteRequestedAt }: Row): void {
  const refusal = restoreRefusal({ name, state, deleting: Boolean(deleteRequestedAt) })
  if (refusal) throw refusal
}
