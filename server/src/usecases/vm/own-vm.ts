import { notFound } from '../../domain/fault.ts'
import { type OperationKind } from '../../domain/operation/kind.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type VmAction, mustAllow } from '../../domain/vm/lifecycle.ts'
import { type VmView } from '../../domain/vm/vm.ts'
import { type Op } from '../../store/op.ts'
import { openOperation } from '../operation/open-operation.ts'

type Row = Awaited<ReturnType<Op['vms']['get']>>

export interface VmAnswer {
  vm: VmView
  operation: OperationView
}

/** The machine, locked, of which the caller may ask this; nothing is to be allowed where it was asked for before. */
export async function ownVm(op: Op, id: string, actionOn: VmAction | ((row: Row) => VmAction | null)): Promise<Row> {
  const row = await op.vms.get(id)
  op.audit.about('vm', { id: row.id, name: row.name, tenantId: row.tenantId })
  const action = typeof actionOn === 'function' ? actionOn(row) : actionOn
  if (action === null) return row
  const state = row.deleteRequestedAt ? 'Deleting' : row.state
  mustAllow(action, { name: row.name, state, isProtected: row.deleteProtection })
  return row
}

/** Opens the operation for what was just written into the row; asking again is answered with the one that is under way. */
export async function answerWith(op: Op, row: Row, kind: OperationKind): Promise<VmAnswer> {
  await op.flush()
  const [running] = (await op.operations.unfinished('vm', row.id)).filter((operation) => operation.kind === kind)
  const operation = running
    ? await op.reads.operations.find(running.id)
    : await openOperation(op, kind, { kind: 'vm', id: row.id, name: row.name, tenantId: row.tenantId })
  const vm = await op.reads.vms.find(row.id)
  if (!vm || !operation) throw notFound('vm', row.id)
  if (!running) op.changes.note('vm', { id: vm.id, version: vm.version, tenantId: vm.tenantId })
  return { vm, operation }
}
