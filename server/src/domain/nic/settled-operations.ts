import { type ObservedAddress } from '../vm/observed.ts'
import { type VmState } from '../vm/state.ts'
import { type NicWaitReason } from './wait-reasons.ts'
import { nicName } from './nic.ts'

/** The kinds of operations that change the NICs of an existing VM. */
export const nicOperationKinds = ['attach_network', 'detach_network'] as const
export type NicOperationKind = (typeof nicOperationKinds)[number]

interface DesiredNics {
  nics: readonly { ordinal: number; isLeaving: boolean; waitsFor: NicWaitReason | null }[]
  /** True while changes are still tried at runtime. */
  isLive: boolean
}

/**
 * Returns the NIC operations that can end. `isDone` is false when the VM is off or gets the change
 * at its next start.
 */
export function settledNicOperations(
  { nics, isLive }: DesiredNics,
  { state, observedNics }: { state: VmState; observedNics: readonly ObservedAddress[] | null },
): { kind: NicOperationKind; isDone: boolean }[] {
  const inGuestNames = new Set(
    (observedNics ?? []).filter(({ inGuest }) => inGuest).map(({ name }) => name),
  )
  const isOff = state === 'Stopped'
  const pending = nics.filter(
    ({ isLeaving, ordinal }) => inGuestNames.has(nicName(ordinal)) === isLeaving,
  )
  return nicOperationKinds.flatMap((kind) => {
    const unfinished = pending.filter(({ isLeaving }) => isLeaving === (kind === 'detach_network'))
    const isSettled = isOff || !isLive || unfinished.every(({ waitsFor }) => waitsFor !== null)
    return isSettled ? [{ kind, isDone: !isOff && unfinished.length === 0 }] : []
  })
}
