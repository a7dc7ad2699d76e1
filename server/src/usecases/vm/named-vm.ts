import { notFound } from '../../engine/model/fault.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { type VmView } from '../../domain/vm/vm.ts'
import { type Op, type Reads } from '../../store/op.ts'
import { type IdOrName, requireOneName } from '../one-name.ts'

/** Which machine is meant. */
export type NamedVm = IdOrName

/** The machine as it is shown; null when there is no such one. */
export function findVm({ vms }: Pick<Reads, 'vms'>, asked: NamedVm): Promise<VmView | null> {
  const { id, name } = requireOneName(asked)
  return name === undefined ? vms.find(id) : vms.findByName(name)
}

/** The id of the machine, for what changes it. */
export async function idOfVm(op: Pick<Op, 'vms' | 'viewer'>, asked: NamedVm): Promise<string> {
  const { id, name } = requireOneName(asked)
  if (name === undefined) return id
  const found = await op.vms.idOf(mustActInTenant(op.viewer), name)
  if (found === null) throw notFound('vm', name)
  return found
}
