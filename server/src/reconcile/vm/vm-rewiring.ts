import { type Rewiring, rewirings, settledRewirings } from '../../domain/nic/rewiring.ts'
import { type Op } from '../../store/op.ts'
import { type SeenOfVm } from '../../store/vm/vm.ts'
import { Promises } from '../promise.ts'
import { type VmRow, areNicsLive } from './vm-found.ts'

/*
 * Operations that attach and detach NICs of a VM. Such an operation ends when the guest has the NIC
 * or has released it, or when the change is left to the next start.
 */

type Settled = ReturnType<typeof settledRewirings>
export type NicsAsked = Parameters<typeof settledRewirings>[0]

/** The last step of each operation. */
export const lastStep = {
  attach_network: 'attached',
  detach_network: 'detached',
} as const satisfies Record<Rewiring, string>

/** Loads the NICs when an operation on them is open; otherwise returns null. */
export async function askedOf(op: Op, vm: VmRow, operations: Promises): Promise<NicsAsked | null> {
  if (!rewirings.some((kind) => operations.isOpen(kind))) return null
  return { nics: await op.nics.ofVm(vm.id), isLive: areNicsLive(vm, op.operations.now) }
}

/** Returns the operations that end with this status. */
export const settledIn = (
  desired: NicsAsked | null,
  status: Pick<SeenOfVm, 'state' | 'seenNics'>,
): Settled => (desired ? settledRewirings(desired, status) : [])

/**
 * Begins the last step after the spec was applied, and ends operations that need no change of the
 * running guest.
 */
export async function told(op: Op, vm: VmRow, operations: Promises): Promise<void> {
  const desired = await askedOf(op, vm, operations)
  for (const kind of rewirings) operations.begin(kind, lastStep[kind])
  end(operations, settledIn(desired, { state: vm.state, seenNics: vm.seenNics ?? null }))
}

/** Ends settled operations, unless the row has changes that are not applied. */
export async function settle(op: Op, vm: VmRow | null, settled: Settled): Promise<void> {
  if (!vm || vm.goneAt || vm.appliedGeneration < vm.generation || settled.length === 0) return
  end(await Promises.on(op, { kind: 'vm', id: vm.id }), settled)
}

function end(operations: Promises, settled: Settled): void {
  for (const { kind, isDone } of settled) {
    if (isDone) operations.finish(kind, lastStep[kind])
    else operations.skip(kind, lastStep[kind])
    operations.succeed(kind)
  }
}
