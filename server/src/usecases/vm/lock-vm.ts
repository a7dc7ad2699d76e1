import { type OperationKind } from '../../domain/nouns.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type VmAction, hasReached, mustAllow } from '../../domain/vm/lifecycle.ts'
import { type PowerOperationKind } from '../../domain/vm/power-verbs.ts'
import { stateDuring, desiredOperationKind } from '../../domain/vm/vmi-command.ts'
import { type VmView } from '../../domain/vm/vm.ts'
import { mustBeVersion } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'
import { openOrJoinOperation } from '../operation/open-operation.ts'
import { writtenRow } from '../written-row.ts'
import { type VmChangeRequest, idOfVm } from './named-vm.ts'

type Row = Awaited<ReturnType<Op['vms']['get']>>

export interface VmAnswer {
  vm: VmView
  operation: OperationView
}

interface Verb {
  action: VmAction
  kind: OperationKind
  /** Accepts a VM that has reached the goal of the action already. */
  ifNeeded?: boolean
}

/**
 * Returns the VM, locked, if the caller may do the action. The action is not checked while the same
 * operation is open, because the request joins it.
 */
export async function lockVmForAction(
  op: Op,
  request: VmChangeRequest,
  { action, kind, ifNeeded = false }: Verb,
): Promise<{ row: Row; isOpenAlready: boolean; isDone: boolean }> {
  const { row, desired, mustAllow, hasReached } = await lockVm(op, request)
  const isOpenAlready =
    kind === 'delete_vm'
      ? Boolean(row.deleteRequestedAt)
      : !row.deleteRequestedAt && kind === desired
  const isDone = ifNeeded && !isOpenAlready && hasReached(action)
  if (!isOpenAlready && !isDone) mustAllow(action)
  return { row, isOpenAlready, isDone }
}

interface VmToChange {
  row: Row
  /** The desired action of the VM while its operation is open. */
  desired: PowerOperationKind | null
  /** Throws the refusal of the action, if there is one. */
  mustAllow(action: VmAction): void
  /** Throws when the settings of the VM can no longer change, because it is being deleted. */
  mustBeChangeable(): void
  hasReached(action: VmAction): boolean
}

/** Returns the VM, locked until the unit of work ends, and records it in the audit row. */
export async function lockVm(op: Op, request: VmChangeRequest): Promise<VmToChange> {
  const row = await op.vms.get(await idOfVm(op, request))
  op.audit.setTarget('vm', { id: row.id, name: row.name, tenantId: row.tenantId })
  mustBeVersion('VM', row, request.ifVersion)
  const desiredKind = desiredOperationKind({
    wantedPower: row.wantedPower,
    vmiCommand: row.vmiCommand ?? null,
  })
  const open = await op.operations.unfinished('vm', row.id)
  const isOpen = (kind: OperationKind): boolean => open.some((each) => each.kind === kind)
  const busyWith = await op.vms.busyWith(row.id)
  // Leftovers of a failed restore are cleaned up before the next restore, so they do not block it.
  const busyFor = (action: VmAction) =>
    action === 'restore' && busyWith === 'restore' && !isOpen('restore_vm') ? null : busyWith
  const desired = isOpen(desiredKind) ? desiredKind : null
  const state = row.deleteRequestedAt ? 'Deleting' : stateDuring(desired, row.state)
  const drift = row.drift ?? null
  const mustAllowNow = (action: VmAction): void =>
    mustAllow(action, {
      name: row.name,
      state,
      isProtected: row.deleteProtection,
      hasIso: row.isoInserted,
      drift,
      busyWith: busyFor(action),
      isDeploying: isOpen('deploy_vm'),
    })
  return {
    row,
    desired,
    hasReached: (action) => hasReached(action, { state, drift }),
    mustAllow: mustAllowNow,
    mustBeChangeable: () => mustAllowNow('rename'),
  }
}

/** Opens the operation for the written row. A repeated request returns the open one. */
export async function respondWithOperation(
  op: Op,
  row: Row,
  kind: OperationKind,
): Promise<VmAnswer> {
  const { id, name, tenantId } = row
  // The VM is read after its operation, which is part of what the VM reports.
  const operation = await openOrJoinOperation(op, kind, { kind: 'vm', id, name, tenantId })
  return { vm: await vmAfter(op, row), operation }
}

/** Returns the VM after the write to its row, and adds it to the change log. */
export const vmAfter = (op: Op, row: Row): Promise<VmView> =>
  writtenRow(op, { kind: 'vm', before: row }, (id) => op.reads.vms.find(id))
