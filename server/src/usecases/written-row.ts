import { type ChangeKind } from '../engine/model/change.ts'
import { Fault } from '../engine/model/fault.ts'
import { type Op } from '../store/op.ts'
import { messageOf } from '../engine/model/message.ts'

interface Written {
  id: string
  version: number
}

/** The row as it is after what was just written into it, which others hear of. */
export async function writtenRow<View extends Written & { tenantId: string }>(
  op: Op,
  { kind, before }: { kind: ChangeKind; before: Written },
  find: (id: string) => Promise<View | null>,
): Promise<View> {
  const { id, version } = before
  await op.flush()
  const view = await find(id)
  if (!view) throw new Fault('not_found', messageOf('request.not_found', { noun: kind, name: id }))
  if (view.version !== version)
    op.changes.note(kind, { id, version: view.version, tenantId: view.tenantId })
  return view
}
