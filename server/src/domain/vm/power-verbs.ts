import { type KindPlan, minutes } from '../operation/kind-plan.ts'
import { type VmState } from './state.ts'

/*
 * Each power verb on a VM is one row. lifecycle.ts, wish.ts, next-step.ts, operations.ts, the use
 * case, the reconciler and the fault tests read the rows, so a new verb adds its rule nowhere else.
 */

/** In which states an action is allowed, and what a refusal advises in the others. */
export interface ActionRule {
  readonly allowedIn: readonly VmState[]
  /** The VM is there already, or on its way. */
  readonly nothingToDoIn?: readonly VmState[]
  /** The remedy, where it is another one than the state's own. */
  readonly insteadIn?: Readonly<Partial<Record<VmState, 'start' | 'resume' | 'start_later'>>>
}

/** What KubeVirt shows of a run and of the requests that wait for it. */
export interface OrderedRun {
  readonly paused: unknown
  readonly queued: readonly ('start' | 'stop')[]
}

/** KubeVirt takes an order beside the VM's spec, for the run that is there now. */
export interface RunOrder {
  /** `next` is achieved by another run only; `same` fails once its run is over. */
  readonly endsIn: 'same' | 'next'
  /** KubeVirt shows that it took the order, which is then not sent again after a lost answer. */
  readonly isTaken: (run: OrderedRun) => boolean
  /** The order where `force` was asked for. */
  readonly forced?: 'forceRestart'
}

interface PowerVerbRule extends ActionRule {
  readonly power: 'on' | 'off'
  /** Absent where the VM's spec alone says it. */
  readonly order?: RunOrder
  /** The state that counts while the operation is open, by the state that was observed. */
  readonly underWay: Readonly<Partial<Record<VmState, VmState>>>
  /** The operation succeeds when the VM is observed like this; its last step ends then. */
  readonly achievedIn: VmState
  readonly operation: PowerPlan
}

const whileOn = [
  'Provisioning',
  'Starting',
  'Running',
  'Paused',
  'Migrating',
  'Restarting',
] as const

interface PowerPlan extends KindPlan {
  permission: 'vms:write'
}

const planOf = (count: number, ...steps: readonly string[]): PowerPlan => ({
  deadlineMs: minutes(count),
  cancellable: false,
  permission: 'vms:write',
  steps,
})

export const powerVerbs = {
  start: {
    allowedIn: ['Stopped', 'Error'],
    nothingToDoIn: ['Starting', 'Running', 'Migrating', 'Restarting'],
    insteadIn: { Paused: 'resume', Stopping: 'start_later' },
    power: 'on',
    underWay: { Stopped: 'Starting' },
    achievedIn: 'Running',
    operation: planOf(5, 'machine', 'running'),
  },
  stop: {
    allowedIn: [...whileOn, 'Error', 'Unknown'],
    nothingToDoIn: ['Stopping', 'Stopped'],
    power: 'off',
    underWay: {
      Provisioning: 'Stopping',
      Starting: 'Stopping',
      Running: 'Stopping',
      Paused: 'Stopping',
      Migrating: 'Stopping',
      Restarting: 'Stopping',
    },
    achievedIn: 'Stopped',
    operation: planOf(5, 'machine', 'stopped'),
  },
  restart: {
    allowedIn: ['Running', 'Paused'],
    nothingToDoIn: ['Restarting'],
    insteadIn: { Stopped: 'start' },
    power: 'on',
    order: {
      endsIn: 'next',
      isTaken: ({ queued }) => queued.length > 0,
      forced: 'forceRestart',
    },
    underWay: { Running: 'Restarting', Paused: 'Restarting' },
    achievedIn: 'Running',
    operation: planOf(5, 'machine', 'running'),
  },
  pause: {
    allowedIn: ['Running'],
    nothingToDoIn: ['Paused'],
    power: 'on',
    order: { endsIn: 'same', isTaken: ({ paused }) => Boolean(paused) },
    underWay: { Running: 'Paused' },
    achievedIn: 'Paused',
    operation: planOf(2, 'machine', 'paused'),
  },
  resume: {
    allowedIn: ['Paused'],
    nothingToDoIn: ['Running', 'Migrating'],
    insteadIn: { Stopped: 'start' },
    power: 'on',
    order: { endsIn: 'same', isTaken: ({ paused }) => !paused },
    underWay: { Paused: 'Running' },
    achievedIn: 'Running',
    operation: planOf(2, 'machine', 'running'),
  },
} as const satisfies Record<string, PowerVerbRule>

export type PowerVerb = keyof typeof powerVerbs
// Object.keys gives strings; the table has no other keys than its verbs.
export const powerVerbNames = Object.keys(powerVerbs) as readonly PowerVerb[]
export const ruleOf = (verb: PowerVerb): PowerVerbRule => powerVerbs[verb]

const { start, stop, ...furtherVerbs } = powerVerbs
/** Stopping by force is allowed in more states than stopping; its operation is that of stopping. */
export const powerActions = {
  start,
  stop,
  forceStop: {
    allowedIn: [...whileOn, 'Stopping', 'Error', 'Unknown'],
    nothingToDoIn: ['Stopped'],
  },
  ...furtherVerbs,
} as const satisfies Record<string, ActionRule>
// The same of this table.
export const powerActionNames = Object.keys(powerActions) as readonly (keyof typeof powerActions)[]

/** The verbs that are orders to the run that is there now. */
export type RunWish = {
  [V in PowerVerb]: (typeof powerVerbs)[V] extends { order: RunOrder } ? V : never
}[PowerVerb]
export const runWishes: readonly RunWish[] = powerVerbNames.filter(isRunWish)

export function isRunWish(verb: PowerVerb): verb is RunWish {
  return ruleOf(verb).order !== undefined
}

/** Everything that a run is ordered to do. */
export type MachineOrder = RunWish | 'forceStop' | 'forceRestart'

export type WishKind = `${PowerVerb}_vm`
export const wishKindFor = <V extends PowerVerb>(verb: V): `${V}_vm` => `${verb}_vm`

/** The operations of the power verbs, by their kinds. */
// Object.fromEntries gives strings; the keys are made of the verbs alone.
export const powerOperations = Object.fromEntries(
  powerVerbNames.map((verb) => [wishKindFor(verb), ruleOf(verb).operation]),
) as Readonly<Record<WishKind, PowerPlan>>
