import { type OperationKind } from '../nouns.ts'
import {
  type VmiCommand,
  type PowerOperationKind,
  ruleOf,
  powerVerbNames,
  powerOperationKindFor,
} from './power-verbs.ts'
import { type VmState } from './state.ts'
import { type Power } from './vm.ts'

/*
 * A VM has one desired power action at a time; the last request counts. Each action has an
 * operation of its own, which succeeds when the VM is observed in the requested state.
 */
export const powerOperationKinds: readonly PowerOperationKind[] =
  powerVerbNames.map(powerOperationKindFor)

export interface DesiredPower {
  wantedPower: Power
  vmiCommand: VmiCommand | null
  /** The VMI that the command is for. */
  vmiCommandUid: string | null
}

/** The operations during which a stopped VM is on its way to run. */
export const startingOperations = ['deploy_vm', 'start_vm', 'restart_vm'] as const

/** Returns the kind of the operation for the desired power action. */
export function desiredOperationKind({
  wantedPower,
  vmiCommand,
}: Pick<DesiredPower, 'wantedPower' | 'vmiCommand'>): PowerOperationKind {
  if (wantedPower === 'off') return 'stop_vm'
  return powerOperationKindFor(vmiCommand ?? 'start')
}

export interface CompletedOperation {
  kind: OperationKind
  /** The last step of the operation. */
  step: string
}

/** Returns the operations that succeed when the VM is observed like this. */
export const completedOperations = (
  { wantedPower, vmiCommandUid }: DesiredPower,
  { state, vmiUid }: { state: VmState; vmiUid: string | null },
): readonly CompletedOperation[] =>
  completions.filter(
    ({ power, achievedIn, needsNextRun }) =>
      power === wantedPower && achievedIn === state && !(needsNextRun && vmiUid === vmiCommandUid),
  )

interface PowerCompletion extends CompletedOperation {
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
    return { kind: powerOperationKindFor(verb), step, power, achievedIn, needsNextRun }
  }),
]

/** True when the command can no longer succeed, because the VMI to pause or resume has ended. */
export const hasCommandExpired = (
  { vmiCommand, vmiCommandUid }: DesiredPower,
  { vmiUid }: { vmiUid: string | null },
): boolean =>
  vmiCommand !== null && ruleOf(vmiCommand).order?.endsIn === 'same' && vmiUid !== vmiCommandUid

const underWay = new Map(
  powerVerbNames.map((verb) => [powerOperationKindFor(verb), ruleOf(verb).underWay]),
)

/**
 * Returns the state to report while an operation is open: an accepted request counts before it is
 * observed.
 */
export const stateDuring = (operation: PowerOperationKind | null, state: VmState): VmState =>
  (operation === null ? null : underWay.get(operation)?.[state]) ?? state
