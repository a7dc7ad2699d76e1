import { type OperationKind } from '../nouns.ts'
import { type VmState } from './state.ts'
import { type Power, type RunWish } from './vm.ts'

/*
 * What somebody wants a machine to do is one wish at a time, and the last one counts. Each wish has
 * an operation of its own; it comes true when the machine is seen as it was wished.
 */
export const wishKinds = ['start_vm', 'stop_vm', 'restart_vm', 'pause_vm', 'resume_vm'] as const
export type WishKind = (typeof wishKinds)[number]

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
  return runWish === null ? 'start_vm' : `${runWish}_vm`
}

export interface Arrival {
  kind: OperationKind
  /** The last one of the operation. */
  step: string
}

/**
 * The operations that are done when a machine is seen like this. A restart was one only when the
 * run is another one.
 */
export function arrivalsIn(
  wished: Wished,
  seen: { state: VmState; runUid: string | null },
): readonly Arrival[] {
  const arrivals = whenSeen[wished.wantedPower][seen.state] ?? []
  const isSameRun = seen.runUid === wished.runWishUid
  return arrivals.filter(({ kind }) => kind !== 'restart_vm' || !isSameRun)
}

const whenSeen: Readonly<Record<Power, Partial<Record<VmState, readonly Arrival[]>>>> = {
  on: {
    Running: (['deploy_vm', 'start_vm', 'restart_vm', 'resume_vm'] as const).map((kind) => ({
      kind,
      step: 'running',
    })),
    Paused: [{ kind: 'pause_vm', step: 'paused' }],
  },
  off: {
    Stopped: [
      { kind: 'deploy_vm', step: 'running' },
      { kind: 'stop_vm', step: 'stopped' },
    ],
  },
}

/**
 * Whether what was wished cannot come true any more: the run that was to stand still, or to go on,
 * is over.
 */
export const isPastWishing = (
  { runWish, runWishUid }: Wished,
  { runUid }: { runUid: string | null },
): boolean => (runWish === 'pause' || runWish === 'resume') && runUid !== runWishUid
