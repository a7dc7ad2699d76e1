import { notFound } from '../../domain/fault.ts'
import { type OperationKind } from '../../domain/operation/kind.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type VmAction, mustAllow } from '../../domain/vm/lifecycle.ts'
import { type VmState } from '../../domain/vm/state.ts'
import { stateUnder } from '../../domain/vm/state-under.ts'
import { type WishKind, wishKindOf } from '../../domain/vm/wish.ts'
import { type VmView } from '../../domain/vm/vm.ts'
import { type Op } from '../../store/op.ts'
import { openOperation } from '../operation/open-operation.ts'

type Row = Awaited<ReturnType<Op['vms']['get']>>

export interface VmAnswer {
  vm: VmView
  operation: OperationView
}

interface Verb {
  action: VmAction
  kind: OperationKind
}

/** The machine, locked, of which the caller may ask this. Nothing is to be allowed where the same is under way: its promise stands. */
export async function ownVm(op: Op, id: string, { action, kind }: Verb): Promise<{ row: Row; underWay: boolean }> {
  const { row, wish, mustAllow } = await vmToChange(op, id)
  const underWay = kind === 'delete_vm' ? Boolean(row.deleteRequestedAt) : !row.deleteRequestedAt && kind === wish
  if (!underWay) mustAllow(action)
  return { row, underWay }
}

interface VmToChange {
  row: Row
  /** What it is to do, as long as that is promised. */
  wish: WishKind | null
  /** Throws the refusal of the action, if there is one. */
  mustAllow(action: VmAction): void
}

/** The machine, locked until the unit ends, with its name in the books. */
export async function vmToChange(op: Op, id: string): Promise<VmToChange> {
  const row = await op.vms.get(id)
  op.audit.about('vm', { id: row.id, name: row.name, tenantId: row.tenantId })
  const wanted = wishKindOf({ wantedPower: row.wantedPower, runWish: row.runWish ?? null })
  const open = await op.operations.unfinished('vm', row.id)
  const wish = open.some(({ kind }) => kind === wanted) ? wanted : null
  return {
    row,
    wish,
    mustAllow: (action) => mustAllow(action, { name: row.name, state: stateOfRow(row, wish, action), isProtected: row.deleteProtection }),
  }
}

/** One that could not be made is on its way out, and can be told to go all the same. */
function stateOfRow({ state, deleteRequestedAt, failedAt }: Row, wish: WishKind | null, action: VmAction): VmState {
  const isLeaving = deleteRequestedAt ?? (action === 'delete' ? null : failedAt)
  return isLeaving ? 'Deleting' : stateUnder(wish, state)
}

/** Opens the operation for what was just written into the row; asking again is answered with the one that is under way. */
export async function answerWith(op: Op, row: Row, kind: OperationKind): Promise<VmAnswer> {
  const vm = await vmAfter(op, row)
  const running = (await op.operations.unfinished('vm', row.id)).find((operation) => operation.kind === kind)
  if (!running) return { vm, operation: await openOperation(op, kind, { kind: 'vm', id: row.id, name: row.name, tenantId: row.tenantId }) }
  const operation = await op.reads.operations.find(running.id)
  if (!operation) throw notFound('operation', row.id)
  op.work.ring('vm', { id: vm.id, tenantId: vm.tenantId })
  return { vm, operation }
}

/** The machine as it is after what was just written into its row, which others hear of. */
export async function vmAfter(op: Op, row: Row): Promise<VmView> {
  const before = row.version
  await op.flush()
  const vm = await op.reads.vms.find(row.id)
  if (!vm) throw notFound('vm', row.id)
  if (vm.version !== before) op.changes.note('vm', { id: vm.id, version: vm.version, tenantId: vm.tenantId })
  return vm
}
