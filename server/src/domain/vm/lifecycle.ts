import { Fault } from '../../engine/model/fault.ts'
import { type BusyWith } from './busy.ts'
import { type VmState, vmStates } from './state.ts'

const unlessDeleting = vmStates.filter((state) => state !== 'Deleting')

/** Everything that can be done to a VM, and in which states. */
const allowedIn = {
  start: ['Stopped', 'Error'],
  stop: [
    'Provisioning',
    'Starting',
    'Running',
    'Paused',
    'Migrating',
    'Restarting',
    'Error',
    'Unknown',
  ],
  forceStop: [
    'Provisioning',
    'Starting',
    'Running',
    'Paused',
    'Migrating',
    'Restarting',
    'Stopping',
    'Error',
    'Unknown',
  ],
  restart: ['Running', 'Paused'],
  pause: ['Running'],
  resume: ['Paused'],
  delete: unlessDeleting,
  rename: unlessDeleting,
  resize: ['Running', 'Stopped', 'Error'],
  attachVolume: ['Running', 'Stopped'],
  // Also where a missing disk is what keeps the VM from starting.
  detachVolume: ['Running', 'Stopped', 'Error'],
  // A machine that does not come up may be one that boots from it.
  ejectIso: ['Running', 'Stopped', 'Paused', 'Error'],
  attachNetwork: ['Running', 'Stopped'],
  detachNetwork: ['Running', 'Stopped', 'Error'],
  snapshot: ['Running', 'Stopped', 'Paused'],
  restore: ['Running', 'Stopped', 'Paused', 'Error'],
  openConsole: ['Starting', 'Running', 'Paused', 'Migrating', 'Restarting', 'Stopping'],
} satisfies Record<string, readonly VmState[]>

export type VmAction = keyof typeof allowedIn
// Object.keys gives strings; the table has no other keys than its actions.
export const vmActions = Object.keys(allowedIn) as readonly VmAction[]

const changes = [
  'start',
  'stop',
  'forceStop',
  'restart',
  'pause',
  'resume',
  'attachVolume',
  'detachVolume',
  'attachNetwork',
  'detachNetwork',
  'ejectIso',
  'snapshot',
  'restore',
] as const

/**
 * What is not begun meanwhile: the cluster would refuse it, or there would be two moments in one
 * copy.
 */
const barredBy: Readonly<Record<BusyWith, readonly VmAction[]>> = {
  snapshot: changes,
  restore: [...changes, 'resize', 'delete'],
}

interface RuledVm {
  name: string
  state: VmState
  isProtected: boolean
  /** Only what changes a VM asks for it. */
  busyWith?: BusyWith | null
  /** Only what ejects its ISO asks for it. */
  hasIso?: boolean
}

export interface VmActionView {
  action: VmAction
  allowed: boolean
  refusal: string | null
}

/** What can be done with the VM now, and for the rest why not. */
export const actionsOf = (vm: RuledVm): VmActionView[] =>
  vmActions.map((action) => {
    const refusal = refusalOf(action, vm)
    return { action, allowed: refusal === null, refusal }
  })

/** Throws the refusal, if there is one. */
export function mustAllow(action: VmAction, vm: RuledVm): void {
  const refusal = refusalOf(action, vm)
  if (refusal !== null) throw new Fault('wrong_state', refusal)
}

/** Why the action is refused now and what to do, in words for a user; null when it is allowed. */
export function refusalOf(
  action: VmAction,
  { name, state, isProtected, busyWith, hasIso }: RuledVm,
): string | null {
  if (busyWith && barredBy[busyWith].includes(action)) return `VM ${name} ${whileBusy[busyWith]}.`
  const states: readonly VmState[] = allowedIn[action]
  if (!states.includes(state)) return `VM ${name} ${is[state]}; ${remedyOf(action, state)}.`
  if (action === 'delete' && isProtected)
    return `VM ${name} is protected against deletion; switch the protection off first.`
  if (action === 'ejectIso' && !hasIso)
    return `VM ${name} has no ISO in its tray; there is nothing to eject.`
  return null
}

const whileBusy: Readonly<Record<BusyWith, string>> = {
  snapshot: 'is held while a snapshot of it is taken; wait until that is ready, or delete it',
  restore: 'is being brought back to a snapshot; wait until that is over',
}

const is: Readonly<Record<VmState, string>> = {
  Pending: 'has not been made yet',
  Provisioning: 'is still getting its disks',
  Starting: 'is starting',
  Running: 'is running',
  Paused: 'is paused',
  Migrating: 'is moving to another machine',
  Restarting: 'is restarting',
  Stopping: 'is shutting down',
  Stopped: 'is stopped',
  Deleting: 'is being deleted',
  Error: 'has a problem',
  Unknown: 'does not answer at the moment',
  Lost: 'was removed outside of this platform',
}

/** Already there, or on the way. */
const nothingToDo: Partial<Readonly<Record<VmAction, readonly VmState[]>>> = {
  start: ['Starting', 'Running', 'Migrating', 'Restarting'],
  stop: ['Stopping', 'Stopped'],
  forceStop: ['Stopped'],
  restart: ['Restarting'],
  pause: ['Paused'],
  resume: ['Running', 'Migrating'],
}

function remedyOf(action: VmAction, state: VmState): string {
  if (nothingToDo[action]?.includes(state)) return 'there is nothing to do'
  if (state === 'Stopped' && (action === 'restart' || action === 'resume'))
    return 'start it instead'
  if (state === 'Paused' && action === 'start') return 'resume it instead'
  if (state === 'Stopping' && action === 'start') return 'start it once it has stopped'
  return remedies[state]
}

/** What leads out of a state, for actions that need another. */
const remedies: Readonly<Record<VmState, string>> = {
  Pending: 'wait until it has been made',
  Provisioning: 'wait until they are filled',
  Starting: 'wait until it runs',
  Running: 'stop it first',
  Paused: 'resume it first',
  Migrating: 'wait until it has arrived',
  Restarting: 'wait until it runs again',
  Stopping: 'wait until it has stopped',
  Stopped: 'start it first',
  Deleting: 'nothing can be done with it any more',
  Error: 'solve the problem that it shows first',
  Unknown: 'wait until it answers again, or stop it by force',
  Lost: 'delete it and deploy it again',
}
