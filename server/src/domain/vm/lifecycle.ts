import { Fault } from '../../engine/model/fault.ts'
import { type BusyWith } from './busy.ts'
import { type VmState, vmStates } from './state.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

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
  refusal: Message | null
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
): Message | null {
  if (busyWith && barredBy[busyWith].includes(action))
    return messageOf(`vm.busy.${busyWith}`, { name })
  const states: readonly VmState[] = allowedIn[action]
  if (!states.includes(state)) {
    const remedy = messageOf(`vm.remedy.${remedyOf(action, state)}`)
    return messageOf('vm.not_now', { name, is: messageOf(`vm.is.${state}`), remedy })
  }
  if (action === 'delete' && isProtected) return messageOf('vm.protected', { name })
  if (action === 'ejectIso' && !hasIso) return messageOf('vm.without_iso', { name })
  return null
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

function remedyOf(
  action: VmAction,
  state: VmState,
): 'nothing' | 'start' | 'resume' | 'start_later' | VmState {
  if (nothingToDo[action]?.includes(state)) return 'nothing'
  if (state === 'Stopped' && (action === 'restart' || action === 'resume')) return 'start'
  if (state === 'Paused' && action === 'start') return 'resume'
  if (state === 'Stopping' && action === 'start') return 'start_later'
  return state
}
