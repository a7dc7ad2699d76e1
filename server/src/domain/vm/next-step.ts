import {
  type VmiOrder,
  type OrderedVmi,
  type VmiOrderRule,
  type VmiCommand,
  powerVerbs,
} from './power-verbs.ts'
import { isOver } from './observed.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/** The desired state of the VM object, read from the row of the VM. */
export interface DesiredVmObject {
  rowId: string
  /** True when the VM object must be deleted. */
  isLeaving: boolean
  /** True when its deploy failed and was not retried. Nothing is created, and nothing deleted. */
  hasFailed: boolean
  /** The UID of the VirtualMachine; null until Berth has created it. */
  clusterUid: string | null
  /** The UID of the VirtualMachine that should become this VM; null when Berth creates one. */
  adoptedUid: string | null
  generation: number
  appliedGeneration: number
  /** True while a requested start has not happened yet. */
  mustStart: boolean
  /** True while a forced stop has not happened yet; the guest is not asked. */
  mustForceStop: boolean
  /** The pending command to one VMI; null when there is none. */
  vmiCommand: { command: VmiCommand; vmiUid: string; forced: boolean } | null
}

/** The observed VirtualMachine with the VM's name, and its VMI. */
export interface ObservedVmObject {
  uid: string
  rowId: string | null
  isDeleting: boolean
  runStrategy: string | null
  followedRunStrategy: string | null
  queued: readonly ('start' | 'stop')[]
  vmi: ObservedVmi | null
}

interface ObservedVmi {
  uid: string
  phase: string | null
  isDeleting: boolean
  graceSeconds: number | null
  paused: unknown
}

export type VmStep =
  | { do: 'make' }
  | { do: 'adopt' }
  | { do: 'change' }
  | { do: 'observe' }
  | { do: 'powerOn'; uid: string }
  | { do: 'order'; order: VmiOrder; uid: string; vmiUid: string }
  | { do: 'removeVm'; uid: string }
  | { do: 'removeParts' }
  | { do: 'wait' }
  | { do: 'fail'; code: 'cluster_name_conflict' | 'conflict'; detail: Message }

/** Decides the next step towards the desired state of a VM. */
export const nextStep = (desired: DesiredVmObject, observed: ObservedVmObject | null): VmStep =>
  desired.isLeaving ? towardsGone(desired, observed) : towardsThere(desired, observed)

function towardsGone({ rowId }: DesiredVmObject, observed: ObservedVmObject | null): VmStep {
  // A VirtualMachine that Berth does not own is not deleted; the VM's own is already gone.
  if (observed?.rowId !== rowId) return { do: 'removeParts' }
  return observed.isDeleting ? { do: 'wait' } : { do: 'removeVm', uid: observed.uid }
}

function towardsThere(desired: DesiredVmObject, observed: ObservedVmObject | null): VmStep {
  if (desired.clusterUid === null) return towardsMade(desired, observed)
  // The VM object is never recreated: its disk may be lost, and the owner must know.
  if (observed?.uid !== desired.clusterUid || observed.isDeleting) return { do: 'observe' }
  if (desired.appliedGeneration < desired.generation) return { do: 'change' }
  return desired.mustStart && needsStartRequest(observed)
    ? { do: 'powerOn', uid: observed.uid }
    : orderOrObserve(desired, observed)
}

function orderOrObserve(desired: DesiredVmObject, { uid, queued, vmi }: ObservedVmObject): VmStep {
  const order = vmi && !isOver(vmi.phase) ? orderTo(desired, queued, vmi) : null
  return order && vmi ? { do: 'order', order, uid, vmiUid: vmi.uid } : { do: 'observe' }
}

function towardsMade(
  { rowId, hasFailed, adoptedUid }: DesiredVmObject,
  observed: ObservedVmObject | null,
): VmStep {
  if (adoptedUid !== null) return towardsAdopted({ hasFailed, adoptedUid }, observed)
  // An object that a stopped worker created without recording it is adopted by another apply.
  if (hasFailed && observed?.rowId !== rowId) return { do: 'observe' }
  if (observed && observed.rowId !== rowId) return nameTaken
  return observed?.isDeleting ? { do: 'wait' } : { do: 'make' }
}

/** Only the object that the user saw is adopted. It is never created again. */
function towardsAdopted(
  { hasFailed, adoptedUid }: { hasFailed: boolean; adoptedUid: string },
  observed: ObservedVmObject | null,
): VmStep {
  if (hasFailed) return { do: 'observe' }
  return observed?.uid === adoptedUid && !observed.isDeleting ? { do: 'adopt' } : notThere
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
  vmi,
}: ObservedVmObject): boolean =>
  runStrategy === 'RerunOnFailure' &&
  followedRunStrategy === runStrategy &&
  queued.length === 0 &&
  vmi === null

/**
 * Returns the order for this VMI, if any. Each order shows in the VMI or in KubeVirt's queue of
 * requests. It is therefore not sent again after a lost response.
 */
function orderTo(
  { mustForceStop, vmiCommand }: DesiredVmObject,
  queued: ObservedVmObject['queued'],
  vmi: ObservedVmi,
): VmiOrder | null {
  if (mustForceStop) return vmi.graceSeconds === 0 ? null : 'forceStop'
  if (vmiCommand?.vmiUid !== vmi.uid || vmi.isDeleting) return null
  return orderFor(vmiCommand, { paused: vmi.paused, queued })
}

function orderFor(
  { command, forced }: NonNullable<DesiredVmObject['vmiCommand']>,
  vmi: OrderedVmi,
): VmiOrder | null {
  const order: VmiOrderRule = powerVerbs[command].order
  if (order.isTaken(vmi)) return null
  return forced && order.forced ? order.forced : command
}

const notThere: VmStep = {
  do: 'fail',
  code: 'conflict',
  detail: messageOf('unmanaged_vm.gone'),
}

const nameTaken: VmStep = {
  do: 'fail',
  code: 'cluster_name_conflict',
  detail: messageOf('vm.name_in_use'),
}
