import { type SeenAddress } from '../vm/seen.ts'
import { type VmState } from '../vm/state.ts'
import { type ColdReason } from './cold.ts'
import { nicName } from './nic.ts'

/** The kinds of operations that change the NICs of an existing VM. */
export const rewirings = ['attach_network', 'detach_network'] as const
export type Rewiring = (typeof rewirings)[number]

interface DesiredNics {
  nics: readonly { ordinal: number; isLeaving: boolean; waitsFor: ColdReason | null }[]
  /** True while changes are still tried at runtime. */
  isLive: boolean
}

/** Returns the NIC operations that are settled: they are complete, or left to the next start. */
export function settledRewirings(
  { nics, isLive }: DesiredNics,
  { state, seenNics }: { state: VmState; seenNics: readonly SeenAddress[] | null },
): { kind: Rewiring; isDone: boolean }[] {
  const inGuestNames = new Set(
    (seenNics ?? []).filter(({ inGuest }) => inGuest).map(({ name }) => name),
  )
  const isOff = state === 'Stopped'
  const pending = nics.filter(
    ({ isLeaving, ordinal }) => inGuestNames.has(nicName(ordinal)) === isLeaving,
  )
  return rewirings.flatMap((kind) => {
    const unfinished = pending.filter(({ isLeaving }) => isLeaving === (kind === 'detach_network'))
    const isSettled = isOff || !isLive || unfinished.every(({ waitsFor }) => waitsFor !== null)
    return isSettled ? [{ kind, isDone: !isOff && unfinished.length === 0 }] : []
  })
}
