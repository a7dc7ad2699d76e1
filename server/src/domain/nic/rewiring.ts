import { type SeenAddress } from '../vm/seen.ts'
import { type VmState } from '../vm/state.ts'
import { type ColdReason } from './cold.ts'
import { nicName } from './nic.ts'

/** What is promised of NICs of a machine that is there. */
export const rewirings = ['attach_network', 'detach_network'] as const
export type Rewiring = (typeof rewirings)[number]

interface AskedNics {
  nics: readonly { ordinal: number; isLeaving: boolean; waitsFor: ColdReason | null }[]
  /** It is still tried while the guest runs. */
  isLive: boolean
}

/** What was promised of NICs and is over: it has come about, or is left to the next start. */
export function settledRewirings(
  { nics, isLive }: AskedNics,
  { state, seenNics }: { state: VmState; seenNics: readonly SeenAddress[] | null },
): { kind: Rewiring; isDone: boolean }[] {
  const there = new Set((seenNics ?? []).filter(({ inGuest }) => inGuest).map(({ name }) => name))
  const isOff = state === 'Stopped'
  const pending = nics.filter(({ isLeaving, ordinal }) => there.has(nicName(ordinal)) === isLeaving)
  return rewirings.flatMap((kind) => {
    const own = pending.filter(({ isLeaving }) => isLeaving === (kind === 'detach_network'))
    const isSettled = isOff || !isLive || own.every(({ waitsFor }) => waitsFor !== null)
    return isSettled ? [{ kind, isDone: !isOff && own.length === 0 }] : []
  })
}
