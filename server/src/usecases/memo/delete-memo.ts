import { type MemoView } from '../../domain/memo/memo.ts'
import { type Op } from '../../store/op.ts'

/** Deletes a memo. */
export async function deleteMemo(op: Op, request: { id: string }): Promise<{ memo: MemoView }> {
  const memo = await op.memos.remove(request.id)
  op.changes.record('memo', { ...memo, version: memo.version + 1 })
  op.audit.setTarget('memo', memo)
  return { memo }
}
