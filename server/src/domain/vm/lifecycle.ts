import { Fault } from '../../engine/model/fault.ts'
import { type Permission } from '../../engine/model/permission.ts'
import { type Viewer, may } from '../../engine/model/viewer.ts'
import { type BusyWith } from './busy.ts'
import { type VmDifference, acceptedDrift, describeDifference } from '../vm-drift/drift.ts'
import { type ActionRule, powerActionNames, powerActions } from './power-verbs.ts'
import { type VmState, vmStates } from './state.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

const unlessDeleting = vmStates.filter((state) => state !== 'Deleting')

/**
 * Until the drift is resolved, a VM that another client has switched on is `Stopping`, and one that
 * another client has switched off is `Starting`.
 */
const whereDriftEnds: readonly VmState[] = [
  'Starting',
  'Running',
  'Stopped',
  'Paused',
  'Stopping',
  'Error',
]

/** All actions on a VM, and the states in which each is allowed. */
const rules = {
  ...powerActions,
  retry: {
    allowedIn: ['Failed'],
    nothingToDoIn: [
      'Starting',
      'Running',
      'Paused',
      'Migrating',
      'Restarting',
      'Stopping',
      'Stopped',
    ],
    insteadIn: { Error: 'start' },
  },
  delete: { allowedIn: unlessDeleting },
  rename: { allowedIn: unlessDeleting },
  resize: { allowedIn: ['Running', 'Stopped', 'Error'] },
  attachVolume: { allowedIn: ['Running', 'Stopped'] },
  // Error is included, because a missing disk may be what prevents the start.
  detachVolume: { allowedIn: ['Running', 'Stopped', 'Error', 'Failed'] },
  // A VM that does not start may be booting from the ISO.
  ejectIso: { allowedIn: ['Running', 'Stopped', 'Paused', 'Error'] },
  revertDrift: { allowedIn: whereDriftEnds },
  acceptDrift: { allowedIn: whereDriftEnds },
  attachNetwork: { allowedIn: ['Running', 'Stopped'] },
  detachNetwork: { allowedIn: ['Running', 'Stopped', 'Error'] },
  snapshot: { allowedIn: ['Running', 'Stopped', 'Paused'] },
  restore: { allowedIn: ['Running', 'Stopped', 'Paused', 'Error'] },
  openConsole: {
    allowedIn: ['Starting', 'Running', 'Paused', 'Migrating', 'Restarting', 'Stopping'],
  },
} as const satisfies Record<string, ActionRule>

export type VmAction = keyof typeof rules
// Object.keys returns strings; the table has no keys other than its actions.
export const vmActions = Object.keys(rules) as readonly VmAction[]

const changes: readonly VmAction[] = [
  ...powerActionNames,
  'attachVolume',
  'detachVolume',
  'attachNetwork',
  'detachNetwork',
  'ejectIso',
  'revertDrift',
  'acceptDrift',
  'snapshot',
  'restore',
]

/**
 * Actions that are refused during the cluster's work. The cluster would refuse them, or the copy
 * would mix two points in time.
 */
const barredBy: Readonly<Record<BusyWith, readonly VmAction[]>> = {
  snapshot: changes,
  restore: [...changes, 'resize', 'delete'],
}

interface RuledVm {
  name: string
  state: VmState
  isProtected: boolean
  /** Only needed for actions that change a VM. */
  busyWith?: BusyWith | null
  /** Only needed to eject the ISO. */
  hasIso?: boolean
  /** Needed to revert or accept a drift, and to know whether the present state ends by itself. */
  drift?: readonly VmDifference[] | null
  /** True while its deploy is open. Only needed for actions that change a VM. */
  isDeploying?: boolean
}

export interface VmActionView {
  action: VmAction
  allowed: boolean
  refusal: Message | null
}

/** The permission for an action: the one that its mutation declares. */
export const permissionFor = (action: VmAction): Permission =>
  action === 'openConsole' ? 'vms:console' : 'vms:write'

/** Lists all actions with the reasons why this viewer cannot do them now. */
export const actionsOf = (vm: RuledVm, viewer: Viewer): VmActionView[] =>
  vmActions.map((action) => {
    const refusal = missingPermission(viewer, permissionFor(action)) ?? refusalOf(action, vm)
    return { action, allowed: refusal === null, refusal }
  })

const missingPermission = (viewer: Viewer, permission: Permission): Message | null =>
  may(viewer, permission) ? null : messageOf('access.permission_missing', { permission })

/** True when the VM has reached the goal of the action, or is about to. */
export function hasReached(action: VmAction, vm: Pick<RuledVm, 'state' | 'drift'>): boolean {
  const rule: ActionRule = rules[action]
  return foreignPower(vm) === null && (rule.nothingToDoIn?.includes(vm.state) ?? false)
}

/**
 * Returns the power that another client gave to the VM, when that keeps the VM in a state that
 * otherwise passes. Null when the present state has another cause.
 */
function foreignPower({ state, drift }: Pick<RuledVm, 'state' | 'drift'>): 'on' | 'off' | null {
  const found = drift?.find(({ part }) => part === 'power')?.found
  if (state === 'Stopping' && found === 'on') return 'on'
  return state === 'Starting' && found === 'off' ? 'off' : null
}

/** Throws the refusal, if any. */
export function mustAllow(action: VmAction, vm: RuledVm): void {
  const refusal = refusalOf(action, vm)
  if (refusal !== null)
    throw new Fault('wrong_state', refusal, { transient: isTransient(action, vm) })
}

/** The states that end without another request. */
const passingStates: readonly VmState[] = [
  'Pending',
  'Provisioning',
  'Starting',
  'Migrating',
  'Restarting',
  'Stopping',
]

/** A VM whose disks are being created can be in `Error` for a moment, and its deploy goes on. */
const isPassing = ({ state, isDeploying, drift = null }: RuledVm): boolean =>
  (passingStates.includes(state) && foreignPower({ state, drift }) === null) ||
  (state === 'Error' && Boolean(isDeploying))

const isTransient = (action: VmAction, vm: RuledVm): boolean =>
  isBusyFor(action, vm.busyWith) || (isPassing(vm) && !hasReached(action, vm))

/** Returns why the action is refused now and the remedy, or null when it is allowed. */
export function refusalOf(action: VmAction, vm: RuledVm): Message | null {
  const { name, isProtected, busyWith, hasIso, drift } = vm
  if (busyWith && isBusyFor(action, busyWith)) {
    const refused = messageOf(`vm.refused.${action}`)
    return messageOf(`vm.busy.${busyWith}`, { name, refused })
  }
  // A list asks for the refusal of every action on every VM, and most are allowed.
  if (!isAllowedIn(action, vm)) return refusalOfState(action, vm)
  if (action === 'delete' && isProtected) return messageOf('vm.protected', { name })
  if (action === 'ejectIso' && !hasIso) return messageOf('vm.without_iso', { name })
  return refusalOfDrift(action, { name, drift: drift ?? [] })
}

/** A client can stop a VM that another client has switched on, which reverts that change. */
function isAllowedIn(action: VmAction, vm: Pick<RuledVm, 'state' | 'drift'>): boolean {
  const rule: ActionRule = rules[action]
  return rule.allowedIn.includes(vm.state) || (action === 'stop' && foreignPower(vm) === 'on')
}

function refusalOfState(action: VmAction, vm: RuledVm): Message {
  const power = foreignPower(vm)
  const [is, remedy] =
    power === null
      ? ([vm.state, remedyFor(action, vm)] as const)
      : ([`switched_${power}`, 'drift'] as const)
  return messageOf('vm.not_now', {
    name: vm.name,
    is: messageOf(`vm.is.${is}`),
    refused: messageOf(`vm.refused.${action}`),
    remedy: messageOf(`vm.remedy.${remedy}`),
  })
}

function refusalOfDrift(
  action: VmAction,
  { name, drift }: { name: string; drift: readonly VmDifference[] },
): Message | null {
  if (action !== 'revertDrift' && action !== 'acceptDrift') return null
  if (drift.length === 0) return messageOf('vm.without_drift', { name })
  if (action === 'revertDrift' || acceptedDrift(drift)) return null
  const differences = drift.filter(({ found }) => found === null).map(describeDifference)
  return messageOf('vm.drift_not_acceptable', { name, differences })
}

const isBusyFor = (action: VmAction, busyWith: BusyWith | null | undefined): boolean =>
  Boolean(busyWith && barredBy[busyWith].includes(action))

function remedyFor(action: VmAction, vm: Pick<RuledVm, 'state' | 'drift'>) {
  const { insteadIn }: ActionRule = rules[action]
  return hasReached(action, vm) ? 'nothing' : (insteadIn?.[vm.state] ?? vm.state)
}
