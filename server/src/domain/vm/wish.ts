import { type OperationKind } from '../nouns.ts'
import { type RunWish, type WishKind, ruleOf, powerVerbNames, wishKindFor } from './power-verbs.ts'
import { type VmState } from './state.ts'
import { type Power } from './vm.ts'

/*
 * A VM has one desired power action at a time; the last request counts. Each action has an
 * operation of its own, which succeeds when the VM is observed in the requested state.
 */
export const wishKinds: readonly WishKind[] = powerVerbNames.map(wishKindFor)

export interface Wished {
  wantedPower: Power
  runWish: RunWish | null
  /** The VMI that the command is for. */
  runWishUid: string | null
}

/** Returns the kind of the operation for the desired power action. */
export function wishKindOf({
  wantedPower,
  runWish,
}: Pick<Wished, 'wantedPower' | 'runWish'>): WishKind {
  if (wantedPower === 'off') return 'stop_vm'
  return wishKindFor(runWish ?? 'start')
}

export interface Arrival {
  kind: OperationKind
  /** The last step of the operation. */
  step: string
}

/** Returns the operations that succeed when the VM is observed like this. */
export const arrivalsIn = (
  { wantedPower, runWishUid }: Wished,
  { state, runUid }: { state: VmState; runUid: string | null },
): readonly Arrival[] =>
  completions.filter(
    ({ power, achievedIn, needsNextRun }) =>
      power === wantedPower && achievedIn === state && !(needsNextRun && runUid === runWishUid),
  )

interface PowerCompletion extends Arrival {
  power: Power
  achievedIn: VmState
  needsNextRun: boolean
}

const deployment = { kind: 'deploy_vm', step: 'running', needsNextRun: false } as const

const completions: readonly PowerCompletion[] = [
  { ...deployment, power: 'on', achievedIn: 'Running' },
  { ...deployment, power: 'off', achievedIn: 'Stopped' },
  ...powerVerbNames.map((verb) => {
    const { power, achievedIn, order, operation } = ruleOf(verb)
    const step = operation.steps.at(-1) ?? ''
    const needsNextRun = order?.endsIn === 'next'
    return { kind: wishKindFor(verb), step, power, achievedIn, needsNextRun }
  }),
]

/** True when the command can no longer succeed, because the VMI to pause or resume has ended. */
export const isPastWishing = (
  { runWish, runWishUid }: Wished,
  { runUid }: { runUid: string | null },
): boolean => runWish !== null && ruleOf(runWish).order?.endsIn === 'same' && runUid !== runWishUid

const underWay = new Map(powerVerbNames.map((verb) => [wishKindFor(verb), ruleOf(verb).underWay]))

/**
 * Returns the state to report while an operation is open: an accepted request counts before it is
 * observed.
 */
export const stateUnder = (operation: WishKind | null, state: VmState): VmState =>
  (operation === null ? null : underWay.get(operation)?.[state]) ?? state
