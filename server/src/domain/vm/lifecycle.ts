import { Fault } from '../../engine/model/fault.ts'
import { type BusyWith } from './busy.ts'
import { type ActionRule, powerActionNames, powerActions } from './power-verbs.ts'
import { type VmState, vmStates } from './state.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

const unlessDeleting = vmStates.filter((state) => state !== 'Deleting')

/** Everything that can be done to a VM, and in which states. */
const rules = {
  ...powerActions,
  delete: { allowedIn: unlessDeleting },
  rename: { allowedIn: unlessDeleting },
  resize: { allowedIn: ['Running', 'Stopped', 'Error'] },
  attachVolume: { allowedIn: ['Running', 'Stopped'] },
  // Also where a missing disk is what keeps the VM from starting.
  detachVolume: { allowedIn: ['Running', 'Stopped', 'Error'] },
  // A machine that does not come up may be one that boots from it.
  ejectIso: { allowedIn: ['Running', 'Stopped', 'Paused', 'Error'] },
  attachNetwork: { allowedIn: ['Running', 'Stopped'] },
  detachNetwork: { allowedIn: ['Running', 'Stopped', 'Error'] },
  snapshot: { allowedIn: ['Running', 'Stopped', 'Paused'] },
  restore: { allowedIn: ['Running', 'Stopped', 'Paused', 'Error'] },
  openConsole: {
    allowedIn: ['Starting', 'Running', 'Paused', 'Migrating', 'Restarting', 'Stopping'],
  },
} as const satisfies Record<string, ActionRule>

export type VmAction = keyof typeof rules
// Object.keys gives strings; the table has no other keys than its actions.
export const vmActions = Object.keys(rules) as readonly VmAction[]

const changes: readonly VmAction[] = [
  ...powerActionNames,
  'attachVolume',
  'detachVolume',
  'attachNetwork',
  'detachNetwork',
  'ejectIso',
  'snapshot',
  'restore',
]

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
  const rule: ActionRule = rules[action]
  if (!rule.allowedIn.includes(state)) {
    const remedy = messageOf(`vm.remedy.${remedyOf(rule, state)}`)
    return messageOf('vm.not_now', { name, is: messageOf(`vm.is.${state}`), remedy })
  }
  if (action === 'delete' && isProtected) return messageOf('vm.protected', { name })
  if (action === 'ejectIso' && !hasIso) return messageOf('vm.without_iso', { name })
  return null
}

function remedyOf({ nothingToDoIn, insteadIn }: ActionRule, state: VmState) {
  return nothingToDoIn?.includes(state) ? 'nothing' : (insteadIn?.[state] ?? state)
}
