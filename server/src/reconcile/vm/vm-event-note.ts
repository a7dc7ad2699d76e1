import { type OperationKind } from '../../domain/nouns.ts'
import { type SeenVm } from '../../domain/vm/seen.ts'
import { wishKinds } from '../../domain/vm/wish.ts'
import { eventOf } from '../../domain/vm-event/event-of.ts'
import { type Op } from '../../store/op.ts'
import { type SeenOfVm } from '../../store/vm/vm.ts'
import { Promises } from '../promise.ts'
import { type VmRow } from './vm-found.ts'

/** The operations that move a VM from state to state while they are open. */
const transitions: readonly OperationKind[] = ['deploy_vm', 'restore_vm', 'delete_vm', ...wishKinds]

/**
 * Records the event that a new status implies. It must run before the row has that status, so that
 * a second observation records nothing.
 */
export async function noteVmEvent(
  op: Op,
  vm: VmRow,
  { status, observed }: { status: SeenOfVm; observed: SeenVm | null },
): Promise<void> {
  const operations = await Promises.on(op, { kind: 'vm', id: vm.id })
  const event = eventOf(vm, status, {
    seen: observed,
    isAsked: transitions.some((kind) => operations.isOpen(kind)),
  })
  if (event) op.vmEvents.note(vm, event)
}
