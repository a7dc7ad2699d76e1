import { notFound } from '../../engine/model/fault.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { type VmView } from '../../domain/vm/vm.ts'
import { type Op, type Reads } from '../../store/op.ts'
import { type IdOrName, requireOneName } from '../one-name.ts'

/** Selects a VM by its id or name. */
export type NamedVm = IdOrName

/** A request that changes a VM. */
export interface VmChangeRequest extends NamedVm {
  /** The version on which the caller bases the request. */
  ifVersion?: number | null
}

/** Returns the VM for display. Null when there is no such VM. */
export function findVm({ vms }: Pick<Reads, 'vms'>, request: NamedVm): Promise<VmView | null> {
  const { id, name } = requireOneName(request)
  return name === undefined ? vms.find(id) : vms.findByName(name)
}

/** Returns the id of the VM for use cases that change it. */
export async function idOfVm(op: Pick<Op, 'vms' | 'viewer'>, request: NamedVm): Promise<string> {
  const { id, name } = requireOneName(request)
  if (name === undefined) return id
  const found = await op.vms.idOf(mustActInTenant(op.viewer), name)
  if (found === null) throw notFound('vm', name)
  return found
}
