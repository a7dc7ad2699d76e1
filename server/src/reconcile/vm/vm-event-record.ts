import { type OperationKind } from '../../domain/nouns.ts'
import { type ObservedVm } from '../../domain/vm/observed.ts'
import { powerOperationKinds } from '../../domain/vm/vmi-command.ts'
import { eventOf } from '../../domain/vm-event/event-of.ts'
import { type Op } from '../../store/op.ts'
import { type ObservedVmState } from '../../store/vm/vm.ts'
import { OpenOperations } from '../open-operations.ts'
import { type VmRow } from './vm-status.ts'

/** The operations that move a VM from state to state while they are open. */
const transitions: readonly OperationKind[] = [
  'deploy_vm',
  'restore_vm',
  'delete_vm',
  ...powerOperationKinds,
]

/**
 * Records the event that a new status implies. It must run before the row has that status, so that
 * a second observation records nothing.
 */
export async function recordVmEvent(
  op: Op,
  vm: VmRow,
  { status, observed }: { status: ObservedVmState; observed: ObservedVm | null },
): Promise<void> {
  const operations = await OpenOperations.on(op, { kind: 'vm', id: vm.id })
  const event = eventOf(vm, status, {
    observed,
    hasOpenOperation: transitions.some((kind) => operations.isOpen(kind)),
  })
  if (event) op.vmEvents.record(vm, event)
}
