import { notFound } from '../../engine/model/fault.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { type Op } from '../../store/op.ts'
import { type IdOrName, requireOneName } from '../one-name.ts'

/** The id of the snapshot, for what changes it or uses it. */
export async function idOfVmSnapshot(
  op: Pick<Op, 'vmSnapshots' | 'viewer'>,
  asked: IdOrName,
): Promise<string> {
  const { id, name } = requireOneName(asked)
  if (name === undefined) return id
  const found = await op.vmSnapshots.idOf(mustActInTenant(op.viewer), name)
  if (found === null) throw notFound('VM snapshot', name)
  return found
}
