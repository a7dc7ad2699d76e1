import { type OperationKind } from '../nouns.ts'
import { type RunWish, type WishKind, ruleOf, powerVerbNames, wishKindFor } from './power-verbs.ts'
import { type VmState } from './state.ts'
import { type Power } from './vm.ts'

/*
 * What somebody wants a machine to do is one wish at a time, and the last one counts. Each wish has
 * an operation of its own; it comes true when the machine is seen as it was wished.
 */
export const wishKinds: readonly WishKind[] = powerVerbNames.map(wishKindFor)

export interface Wished {
  wantedPower: Power
  runWish: RunWish | null
  /** The run that the wish is about. */
  runWishUid: string | null
}

/** Which operation stands for what is wished now. */
export function wishKindOf({
  wantedPower,
  runWish,
}: Pick<Wished, 'wantedPower' | 'runWish'>): WishKind {
  if (wantedPower === 'off') return 'stop_vm'
  return wishKindFor(runWish ?? 'start')
}

export interface Arrival {
  kind: OperationKind
  /** The last one of the operation. */
  step: string
}

/** The operations that are done when a machine is seen like this. */
export const arrivalsIn = (
  { wantedPower, runWishUid }: Wished,
  { state, runUid }: { state: VmState; runUid: string | null },
): readonly Arrival[] =>
  arrivals.filter(
    ({ power, achievedIn, needsNextRun }) =>
      power === wantedPower && achievedIn === state && !(needsNextRun && runUid === runWishUid),
  )

interface PowerArrival extends Arrival {
  power: Power
  achievedIn: VmState
  needsNextRun: boolean
}

const deployed = { kind: 'deploy_vm', step: 'running', needsNextRun: false } as const

const arrivals: readonly PowerArrival[] = [
  { ...deployed, power: 'on', achievedIn: 'Running' },
  { ...deployed, power: 'off', achievedIn: 'Stopped' },
  ...powerVerbNames.map((verb) => {
    const { power, achievedIn, order, operation } = ruleOf(verb)
    const step = operation.steps.at(-1) ?? ''
    const needsNextRun = order?.endsIn === 'next'
    return { kind: wishKindFor(verb), step, power, achievedIn, needsNextRun }
  }),
]

/**
 * Whether what was wished cannot come true any more: the run that was to stand still, or to go on,
 * is over.
 */
export const isPastWishing = (
  { runWish, runWishUid }: Wished,
  { runUid }: { runUid: string | null },
): boolean => runWish !== null && ruleOf(runWish).order?.endsIn === 'same' && runUid !== runWishUid

const underWay = new Map(powerVerbNames.map((verb) => [wishKindFor(verb), ruleOf(verb).underWay]))

/**
 * The state that a machine is on its way to already: a wish that was accepted counts before it is
 * seen to come true.
 */
export const stateUnder = (wish: WishKind | null, state: VmState): VmState =>
  (wish === null ? null : underWay.get(wish)?.[state]) ?? state
