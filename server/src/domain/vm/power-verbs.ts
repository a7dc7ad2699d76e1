import { type OperationPlan, minutes } from '../operation/operation-plan.ts'
import { type VmState } from './state.ts'

/*
 * Each power verb on a VM is one row. Lifecycle, VMI commands, next step, operations, the use case,
 * the reconciler and the fault tests read the rows. A new verb therefore adds its rule only here.
 */

/**
 * The states in which an action is allowed, and the remedy that a refusal names in other states.
 */
export interface ActionRule {
  readonly allowedIn: readonly VmState[]
  /** The VM has reached the goal, or is about to. */
  readonly nothingToDoIn?: readonly VmState[]
  /** The remedy, if it differs from the one of the state. */
  readonly insteadIn?: Readonly<Partial<Record<VmState, 'start' | 'resume' | 'start_later'>>>
}

/** The observed VMI and the requests that are queued for it. */
export interface OrderedVmi {
  readonly paused: unknown
  readonly queued: readonly ('start' | 'stop')[]
}

/** A request to a subresource of KubeVirt, beside the VM's spec, for the current VMI. */
export interface VmiOrderRule {
  /** `next` needs another VMI; `same` fails once the VMI has ended. */
  readonly endsIn: 'same' | 'next'
  /**
   * True when KubeVirt has accepted the order, so that it is not sent again after a lost response.
   */
  readonly isTaken: (vmi: OrderedVmi) => boolean
  /** The order when the client requests `force`. */
  readonly forced?: 'forceRestart'
}

interface PowerVerbRule extends ActionRule {
  readonly power: 'on' | 'off'
  /** Absent when the spec of the VM alone expresses the verb. */
  readonly order?: VmiOrderRule
  /** The state to report while the operation is open, by observed state. */
  readonly underWay: Readonly<Partial<Record<VmState, VmState>>>
  /** The operation and its last step succeed when the VM is observed in this state. */
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

interface PowerPlan extends OperationPlan {
  cancelPermission: 'vms:write'
}

const planOf = (count: number, ...steps: readonly string[]): PowerPlan => ({
  deadlineMs: minutes(count),
  cancellable: false,
  cancelPermission: 'vms:write',
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
    operation: planOf(5, 'vm', 'running'),
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
    operation: planOf(5, 'vm', 'stopped'),
  },
  restart: {
    allowedIn: ['Running', 'Paused'],
    nothingToDoIn: ['Restarting'],
    insteadIn: { Stopped: 'start', Stopping: 'start_later', Error: 'start' },
    power: 'on',
    order: {
      endsIn: 'next',
      isTaken: ({ queued }) => queued.length > 0,
      forced: 'forceRestart',
    },
    underWay: { Running: 'Restarting', Paused: 'Restarting' },
    achievedIn: 'Running',
    operation: planOf(5, 'vm', 'running'),
  },
  pause: {
    allowedIn: ['Running'],
    nothingToDoIn: ['Paused'],
    insteadIn: { Stopping: 'start_later' },
    power: 'on',
    order: { endsIn: 'same', isTaken: ({ paused }) => Boolean(paused) },
    underWay: { Running: 'Paused' },
    achievedIn: 'Paused',
    operation: planOf(2, 'vm', 'paused'),
  },
  resume: {
    allowedIn: ['Paused'],
    nothingToDoIn: ['Running', 'Migrating'],
    insteadIn: { Stopped: 'start', Stopping: 'start_later' },
    power: 'on',
    order: { endsIn: 'same', isTaken: ({ paused }) => !paused },
    underWay: { Paused: 'Running' },
    achievedIn: 'Running',
    operation: planOf(2, 'vm', 'running'),
  },
} as const satisfies Record<string, PowerVerbRule>

export type PowerVerb = keyof typeof powerVerbs
// Object.keys returns strings; the table has no keys other than its verbs.
export const powerVerbNames = Object.keys(powerVerbs) as readonly PowerVerb[]
export const ruleOf = (verb: PowerVerb): PowerVerbRule => powerVerbs[verb]

const { start, stop, ...otherVerbs } = powerVerbs
/** A forced stop is allowed in more states than a stop; both have the same operation kind. */
export const powerActions = {
  start,
  stop,
  forceStop: {
    allowedIn: [...whileOn, 'Stopping', 'Error', 'Unknown'],
    nothingToDoIn: ['Stopped'],
  },
  ...otherVerbs,
} as const satisfies Record<string, ActionRule>
// Object.keys returns strings; the table has no keys other than its actions.
export const powerActionNames = Object.keys(powerActions) as readonly (keyof typeof powerActions)[]

/** The verbs that are commands to the current VMI. */
export type VmiCommand = {
  [V in PowerVerb]: (typeof powerVerbs)[V] extends { order: VmiOrderRule } ? V : never
}[PowerVerb]
export const vmiCommands: readonly VmiCommand[] = powerVerbNames.filter(isVmiCommand)

export function isVmiCommand(verb: PowerVerb): verb is VmiCommand {
  return ruleOf(verb).order !== undefined
}

/** All orders that a VMI can get. */
export type VmiOrder = VmiCommand | 'forceStop' | 'forceRestart'

export type PowerOperationKind = `${PowerVerb}_vm`
export const powerOperationKindFor = <V extends PowerVerb>(verb: V): `${V}_vm` => `${verb}_vm`

/** The operations of the power verbs, by kind. */
// Object.fromEntries gives strings; the keys are made of the verbs alone.
export const powerOperations = Object.fromEntries(
  powerVerbNames.map((verb) => [powerOperationKindFor(verb), ruleOf(verb).operation]),
) as Readonly<Record<PowerOperationKind, PowerPlan>>
