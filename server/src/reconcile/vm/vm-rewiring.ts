import {
  type NicOperationKind,
  nicOperationKinds,
  settledNicOperations,
} from '../../domain/nic/settled-operations.ts'
import { type Op } from '../../store/op.ts'
import { type ObservedVmState } from '../../store/vm/vm.ts'
import { OpenOperations } from '../open-operations.ts'
import { type VmRow, areNicsLive } from './vm-status.ts'

/*
 * Operations that attach and detach NICs of a VM. Such an operation ends when the guest has the NIC
 * or has released it, or when the change is left to the next start.
 */

type Settled = ReturnType<typeof settledNicOperations>
export type DesiredNics = Parameters<typeof settledNicOperations>[0]

/** The last step of each operation. */
export const lastStep = {
  attach_network: 'attached',
  detach_network: 'detached',
} as const satisfies Record<NicOperationKind, string>

/** Loads the NICs when an operation on them is open; otherwise returns null. */
export async function loadDesired(
  op: Op,
  vm: VmRow,
  operations: OpenOperations,
): Promise<DesiredNics | null> {
  if (!nicOperationKinds.some((kind) => operations.isOpen(kind))) return null
  return { nics: await op.nics.ofVm(vm.id), isLive: areNicsLive(vm, op.operations.now) }
}

/** Returns the operations that end with this status. */
export const settledOperations = (
  desired: DesiredNics | null,
  status: Pick<ObservedVmState, 'state' | 'observedNics'>,
): Settled => (desired ? settledNicOperations(desired, status) : [])

/**
 * Begins the last step after the spec was applied, and ends operations that need no change of the
 * running guest.
 */
export async function specApplied(op: Op, vm: VmRow, operations: OpenOperations): Promise<void> {
  const desired = await loadDesired(op, vm, operations)
  for (const kind of nicOperationKinds) operations.begin(kind, lastStep[kind])
  end(
    operations,
    settledOperations(desired, { state: vm.state, observedNics: vm.observedNics ?? null }),
  )
}

/** Ends settled operations, unless the row has changes that are not applied. */
export async function settle(op: Op, vm: VmRow | null, settled: Settled): Promise<void> {
  if (!vm || vm.goneAt || vm.appliedGeneration < vm.generation || settled.length === 0) return
  end(await OpenOperations.on(op, { kind: 'vm', id: vm.id }), settled)
}

function end(operations: OpenOperations, settled: Settled): void {
  for (const { kind, isDone } of settled) {
    if (isDone) operations.finish(kind, lastStep[kind])
    else operations.skip(kind, lastStep[kind])
    operations.succeed(kind)
  }
}
