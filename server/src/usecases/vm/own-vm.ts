import { type OperationKind } from '../../domain/nouns.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type VmAction, mustAllow } from '../../domain/vm/lifecycle.ts'
import { type VmState } from '../../domain/vm/state.ts'
import { type WishKind } from '../../domain/vm/power-verbs.ts'
import { stateUnder, wishKindOf } from '../../domain/vm/wish.ts'
import { type VmView } from '../../domain/vm/vm.ts'
import { type Op } from '../../store/op.ts'
import { openOrJoinOperation } from '../operation/open-operation.ts'
import { writtenRow } from '../written-row.ts'
import { type NamedVm, idOfVm } from './named-vm.ts'

type Row = Awaited<ReturnType<Op['vms']['get']>>

export interface VmAnswer {
  vm: VmView
  operation: OperationView
}

interface Verb {
  action: VmAction
  kind: OperationKind
}

/**
 * The machine, locked, of which the caller may ask this. Nothing is to be allowed where the same is
 * under way: its promise stands.
 */
export async function ownVm(
  op: Op,
  asked: NamedVm,
  { action, kind }: Verb,
): Promise<{ row: Row; underWay: boolean }> {
  const { row, wish, mustAllow } = await vmToChange(op, asked)
  const underWay =
    kind === 'delete_vm' ? Boolean(row.deleteRequestedAt) : !row.deleteRequestedAt && kind === wish
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
export async function vmToChange(op: Op, asked: NamedVm): Promise<VmToChange> {
  const row = await op.vms.get(await idOfVm(op, asked))
  op.audit.about('vm', { id: row.id, name: row.name, tenantId: row.tenantId })
  const wanted = wishKindOf({ wantedPower: row.wantedPower, runWish: row.runWish ?? null })
  const open = await op.operations.unfinished('vm', row.id)
  const isOpen = (kind: OperationKind): boolean => open.some((each) => each.kind === kind)
  const busyWith = await op.vms.busyWith(row.id)
  // What is left of a restore that has failed is cleared away before the next, and does not keep it
  // from being asked for.
  const busyFor = (action: VmAction) =>
    action === 'restore' && busyWith === 'restore' && !isOpen('restore_vm') ? null : busyWith
  const wish = isOpen(wanted) ? wanted : null
  return {
    row,
    wish,
    mustAllow: (action) =>
      mustAllow(action, {
        name: row.name,
        state: stateOfRow(row, wish, action),
        isProtected: row.deleteProtection,
        hasIso: row.isoInserted,
        busyWith: busyFor(action),
      }),
  }
}

/** One that could not be made is on its way out, and can be told to go all the same. */
function stateOfRow(
  { state, deleteRequestedAt, failedAt }: Row,
  wish: WishKind | null,
  action: VmAction,
): VmState {
  const isLeaving = deleteRequestedAt ?? (action === 'delete' ? null : failedAt)
  return isLeaving ? 'Deleting' : stateUnder(wish, state)
}

/**
 * Opens the operation for what was just written into the row; asking again is answered with the one
 * that is under way.
 */
export async function answerWith(op: Op, row: Row, kind: OperationKind): Promise<VmAnswer> {
  const { id, name, tenantId } = row
  return {
    vm: await vmAfter(op, row),
    operation: await openOrJoinOperation(op, kind, { kind: 'vm', id, name, tenantId }),
  }
}

/** The machine as it is after what was just written into its row, which others hear of. */
export const vmAfter = (op: Op, row: Row): Promise<VmView> =>
  writtenRow(op, { kind: 'vm', before: row }, (id) => op.reads.vms.find(id))
