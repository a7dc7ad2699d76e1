import { mustActInTenant } from '../../domain/identity/principal.ts'
import { type MemoView, maxMemoCharacters, mustBeFree } from '../../domain/memo/memo.ts'
import { mustAllow } from '../../domain/tenant/rules.ts'
import { requireSlug, requireText } from '../../engine/model/name.ts'
import { type Op } from '../../store/op.ts'

/** Creates a memo in the current tenant. */
export async function createMemo(
  op: Op,
  request: { name: string; text: string },
): Promise<{ memo: MemoView }> {
  const tenantId = mustActInTenant(op.viewer)
  const name = requireSlug(request.name, 'name')
  const text = requireText(request.text, 'text', maxMemoCharacters)
  mustAllow('update', await op.tenants.get(tenantId))
  mustBeFree(name, await op.memos.isNameTaken({ tenantId, name }))
  const memo = await op.memos.insert({ tenantId, name, text })
  op.changes.record('memo', memo)
  op.audit.setTarget('memo', memo)
  return { memo }
}
