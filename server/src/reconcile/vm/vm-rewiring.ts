import { type Rewiring, rewirings, settledRewirings } from '../../domain/nic/rewiring.ts'
import { type Op } from '../../store/op.ts'
import { type SeenOfVm } from '../../store/vm/vm.ts'
import { Promises } from '../promise.ts'
import { type VmRow, areNicsLive } from './vm-found.ts'

/*
 * What was promised of NICs of a machine: it ends when the guest has them, or has let go of them,
 * or when that is left to the next start.
 */

type Settled = ReturnType<typeof settledRewirings>
export type NicsAsked = Parameters<typeof settledRewirings>[0]

/** The last step of each. */
export const lastStep = {
  attach_network: 'attached',
  detach_network: 'detached',
} as const satisfies Record<Rewiring, string>

/** Of those that are promised; none where nothing is. */
export async function askedOf(op: Op, vm: VmRow, promises: Promises): Promise<NicsAsked | null> {
  if (!rewirings.some((kind) => promises.isOpen(kind))) return null
  return { nics: await op.nics.ofVm(vm.id), isLive: areNicsLive(vm, op.operations.now) }
}

/** Those that are over, by what was found. */
export const settledIn = (
  asked: NicsAsked | null,
  found: Pick<SeenOfVm, 'state' | 'seenNics'>,
): Settled => (asked ? settledRewirings(asked, found) : [])

/** The machine has been told: what need not come about while it runs is done with that. */
export async function told(op: Op, vm: VmRow, promises: Promises): Promise<void> {
  const asked = await askedOf(op, vm, promises)
  for (const kind of rewirings) promises.begin(kind, lastStep[kind])
  end(promises, settledIn(asked, { state: vm.state, seenNics: vm.seenNics ?? null }))
}

/** By what was found of a machine that has been told all; more may have been asked since. */
export async function settle(op: Op, vm: VmRow | null, settled: Settled): Promise<void> {
  if (!vm || vm.goneAt || vm.appliedGeneration < vm.generation || settled.length === 0) return
  end(await Promises.on(op, { kind: 'vm', id: vm.id }), settled)
}

function end(promises: Promises, settled: Settled): void {
  for (const { kind, isDone } of settled) {
    if (isDone) promises.finish(kind, lastStep[kind])
    else promises.skip(kind, lastStep[kind])
    promises.succeed(kind)
  }
}
