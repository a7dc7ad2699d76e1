import {
  type MachineOrder,
  type OrderedRun,
  type RunOrder,
  type RunWish,
  powerVerbs,
} from './power-verbs.ts'
import { isOver } from './seen.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/** The desired state of the VM object, read from the row of the VM. */
export interface AskedMachine {
  rowId: string
  /** True when the VM object must be deleted: deletion was requested, or creation failed. */
  isLeaving: boolean
  /** The UID of the VirtualMachine; null until Berth has created it. */
  clusterUid: string | null
  generation: number
  appliedGeneration: number
  /** True while a requested start has not happened yet. */
  isToStart: boolean
  /** True while a forced stop has not happened yet; the guest is not asked. */
  isToEndAtOnce: boolean
  /** The pending command to one VMI; null when there is none. */
  runWish: { wish: RunWish; runUid: string; forced: boolean } | null
}

/** The observed VirtualMachine with the VM's name, and its VMI. */
export interface SeenMachine {
  uid: string
  rowId: string | null
  isDeleting: boolean
  runStrategy: string | null
  followedRunStrategy: string | null
  queued: readonly ('start' | 'stop')[]
  instance: ObservedRun | null
}

interface ObservedRun {
  uid: string
  phase: string | null
  isDeleting: boolean
  graceSeconds: number | null
  paused: unknown
}

export type MachineStep =
  | { do: 'make' }
  | { do: 'change' }
  | { do: 'observe' }
  | { do: 'powerOn'; uid: string }
  | { do: 'order'; order: MachineOrder; uid: string; runUid: string }
  | { do: 'removeMachine'; uid: string }
  | { do: 'removeParts' }
  | { do: 'wait' }
  | { do: 'fail'; code: 'cluster_name_conflict'; detail: Message }

/** Decides the next step towards the desired state of a VM. */
export const nextStep = (desired: AskedMachine, observed: SeenMachine | null): MachineStep =>
  desired.isLeaving ? towardsGone(desired, observed) : towardsThere(desired, observed)

function towardsGone({ rowId }: AskedMachine, observed: SeenMachine | null): MachineStep {
  // A VirtualMachine that Berth does not own is not deleted; the VM's own is already gone.
  if (observed?.rowId !== rowId) return { do: 'removeParts' }
  return observed.isDeleting ? { do: 'wait' } : { do: 'removeMachine', uid: observed.uid }
}

function towardsThere(desired: AskedMachine, observed: SeenMachine | null): MachineStep {
  if (desired.clusterUid === null) return towardsMade(desired, observed)
  // The VM object is never recreated: its disk may be lost, and the owner must know.
  if (observed?.uid !== desired.clusterUid || observed.isDeleting) return { do: 'observe' }
  if (desired.appliedGeneration < desired.generation) return { do: 'change' }
  return desired.isToStart && needsStartRequest(observed)
    ? { do: 'powerOn', uid: observed.uid }
    : orderOrObserve(desired, observed)
}

function orderOrObserve(
  desired: AskedMachine,
  { uid, queued, instance: vmi }: SeenMachine,
): MachineStep {
  const order = vmi && !isOver(vmi.phase) ? orderTo(desired, queued, vmi) : null
  return order && vmi ? { do: 'order', order, uid, runUid: vmi.uid } : { do: 'observe' }
}

function towardsMade({ rowId }: AskedMachine, observed: SeenMachine | null): MachineStep {
  if (observed && observed.rowId !== rowId) return nameTaken
  return observed?.isDeleting ? { do: 'wait' } : { do: 'make' }
}

/**
 * True when only an explicit start request starts the VM. After a guest shutdown, applying the same
 * run strategy again has no effect. The same holds for a start that was requested while the last
 * VMI was being deleted.
 */
const needsStartRequest = ({
  runStrategy,
  followedRunStrategy,
  queued,
  instance,
}: SeenMachine): boolean =>
  runStrategy === 'RerunOnFailure' &&
  followedRunStrategy === runStrategy &&
  queued.length === 0 &&
  instance === null

/**
 * Returns the order for this VMI, if any. Each order shows in the VMI or in KubeVirt's queue of
 * requests. It is therefore not sent again after a lost response.
 */
function orderTo(
  { isToEndAtOnce, runWish }: AskedMachine,
  queued: SeenMachine['queued'],
  vmi: ObservedRun,
): MachineOrder | null {
  if (isToEndAtOnce) return vmi.graceSeconds === 0 ? null : 'forceStop'
  if (runWish?.runUid !== vmi.uid || vmi.isDeleting) return null
  return orderFor(runWish, { paused: vmi.paused, queued })
}

function orderFor(
  { wish, forced }: NonNullable<AskedMachine['runWish']>,
  vmi: OrderedRun,
): MachineOrder | null {
  const order: RunOrder = powerVerbs[wish].order
  if (order.isTaken(vmi)) return null
  return forced && order.forced ? order.forced : wish
}

const nameTaken: MachineStep = {
  do: 'fail',
  code: 'cluster_name_conflict',
  detail: messageOf('vm.name_in_use'),
}
