import { type ChangeKind } from '../engine/model/change.ts'
import { Fault } from '../engine/model/fault.ts'
import { type Op } from '../store/op.ts'
import { messageOf } from '../engine/model/message.ts'

interface VersionedRow {
  id: string
  version: number
}

/** Returns the row after a write, and adds it to the change log if its version changed. */
export async function writtenRow<View extends VersionedRow & { tenantId: string }>(
  op: Op,
  { kind, before }: { kind: ChangeKind; before: VersionedRow },
  find: (id: string) => Promise<View | null>,
): Promise<View> {
  const { id, version } = before
  await op.flush()
  const view = await find(id)
  if (!view) throw new Fault('not_found', messageOf('request.not_found', { noun: kind, name: id }))
  if (view.version !== version)
    op.changes.record(kind, { id, version: view.version, tenantId: view.tenantId })
  return view
}
