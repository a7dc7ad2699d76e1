import { type OperationKind } from '../../domain/nouns.ts'
import { type SeenVm } from '../../domain/vm/seen.ts'
import { wishKinds } from '../../domain/vm/wish.ts'
import { eventOf } from '../../domain/vm-event/event-of.ts'
import { type Op } from '../../store/op.ts'
import { type SeenOfVm } from '../../store/vm/vm.ts'
import { Promises } from '../promise.ts'
import { type VmRow } from './vm-found.ts'

/** What moves a machine from state to state until it is kept. */
const moving: readonly OperationKind[] = ['deploy_vm', 'restore_vm', 'delete_vm', ...wishKinds]

/**
 * Before the row says what was found: looked at a second time, the same is nothing that has
 * happened.
 */
export async function noteVmEvent(
  op: Op,
  vm: VmRow,
  { found, seen }: { found: SeenOfVm; seen: SeenVm | null },
): Promise<void> {
  const promises = await Promises.on(op, { kind: 'vm', id: vm.id })
  const event = eventOf(vm, found, { seen, isAsked: moving.some((kind) => promises.isOpen(kind)) })
  if (event) op.vmEvents.note(vm, event)
}
