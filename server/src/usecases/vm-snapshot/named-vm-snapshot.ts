import { notFound } from '../../engine/model/fault.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { type Op } from '../../store/op.ts'
import { type IdOrName, requireOneName } from '../one-name.ts'

/** Finds a VM snapshot by its id or its name, for use cases that change or use it. */
export async function idOfVmSnapshot(
  op: Pick<Op, 'vmSnapshots' | 'viewer'>,
  request: IdOrName,
): Promise<string> {
  const { id, name } = requireOneName(request)
  if (name === undefined) return id
  const found = await op.vmSnapshots.idOf(mustActInTenant(op.viewer), name)
  if (found === null) throw notFound('VM snapshot', name)
  return found
}
