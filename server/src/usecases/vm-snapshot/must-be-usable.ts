import { restoreRefusal } from '../../domain/volume-snapshot/volume-snapshot.ts'
import { type Op } from '../../store/op.ts'

type Row = Awaited<ReturnType<Op['vmSnapshots']['get']>>

/** Throws the reason if the VM snapshot cannot be restored or cloned now. */
export function mustBeUsable({ name, state, deleteRequestedAt }: Row): void {
  const refusal = restoreRefusal({ name, state, deleting: Boolean(deleteRequestedAt) })
  if (refusal) throw refusal
}
