import { type Message } from '../../engine/model/message.ts'
import { type ObservedVmi, type ObservedVm, isOver } from './observed.ts'

/*
 * One state per VM: a total function of desired and observed state. It never claims more than was
 * observed. An unknown value of the cluster becomes `Unknown`, and `Running` requires the VM and
 * its VMI to agree.
 */
export const vmStates = [
  'Pending', // accepted; the cluster has no object of it yet
  'Provisioning', // its disks are being created and filled
  'Starting',
  'Running',
  'Paused',
  'Migrating', // it runs and is being migrated to another node
  'Restarting',
  'Stopping',
  'Stopped',
  'Deleting',
  // it differs from its desired state until something changes; `explain` gives the cause
  'Error',
  'Unknown', // the state cannot be determined at the moment
  'Lost', // it existed and was deleted outside Berth
  'Failed', // its deploy failed; what exists of it stays until it is retried or deleted
] as const
export type VmState = (typeof vmStates)[number]

/** The desired state of a VM, read from its row. */
export interface DesiredVm {
  wantedPower: 'on' | 'off'
  deleteRequested: boolean
  /** The UID of the VirtualMachine; null until it is created. */
  clusterUid: string | null
  dedicatedCpu: boolean
  /** Why its deploy failed; null when it did not. */
  failure: Message | null
}

/** A failed deploy may leave these states. In all other states the VM exists and runs or ran. */
const undeployed: readonly VmState[] = ['Pending', 'Provisioning', 'Starting', 'Error']

/** Returns the state of a VM. `observed` is null when the cluster has no VM with the name. */
export function stateOf(desired: DesiredVm, observed: ObservedVm | null): VmState {
  const state = stateInCluster(desired, observed)
  return desired.failure && undeployed.includes(state) ? 'Failed' : state
}

const deployed: readonly VmState[] = ['Running', 'Paused', 'Migrating', 'Stopped', 'Lost']

/** True when a VM whose deploy had failed arrived after all, or is gone. */
export const hasRecovered = (state: VmState): boolean => deployed.includes(state)

function stateInCluster(desired: DesiredVm, observed: ObservedVm | null): VmState {
  if (desired.deleteRequested) return 'Deleting'
  if (!observed) return desired.clusterUid === null ? 'Pending' : 'Lost'
  // A recreated VM with the name is not the lost one.
  if (desired.clusterUid !== null && desired.clusterUid !== observed.uid) return 'Lost'
  if (observed.isDeleting || observed.printableStatus === 'Terminating') return 'Deleting'
  return observed.vmi && !isOver(observed.vmi.phase)
    ? stateWithVmi(desired, observed, observed.vmi)
    : stateWithoutVmi(desired, observed)
}

function stateWithVmi(desired: DesiredVm, observed: ObservedVm, instance: ObservedVmi): VmState {
  const phase = instance.nodeLost ? undefined : liveStateByPhase[instance.phase ?? 'Pending']
  if (phase === undefined) return 'Unknown'
  if (observed.queued.includes('start')) return 'Restarting'
  // The state changes with the request, before KubeVirt acts on it.
  if (instance.isDeleting || desired.wantedPower === 'off') return 'Stopping'
  return phase === 'Running' ? runningState(observed, instance) : startingState(observed, instance)
}

function startingState(observed: ObservedVm, instance: ObservedVmi): VmState {
  if (!isKnownStatus(observed.printableStatus)) return 'Unknown'
  const state = whileStarting[observed.printableStatus]
  return state === 'Starting' && isStartBlocked(observed, instance) ? 'Error' : state
}

/**
 * True when the launcher cannot be created or started. The printable status would stay `Starting`
 * forever.
 */
const isStartBlocked = ({ launcher }: ObservedVm, { notSynchronized }: ObservedVmi): boolean =>
  notSynchronized?.reason === 'FailedCreate' ||
  (launcher !== null && (launcher.unscheduled !== null || launcher.waiting !== null))

/** The phases of a live VMI. */
const liveStateByPhase: Readonly<Record<string, 'Starting' | 'Running'>> = {
  Pending: 'Starting',
  Scheduling: 'Starting',
  Scheduled: 'Starting',
  WaitingForSync: 'Starting',
  Running: 'Running',
}

/**
 * Prefers the VMI to the printable status, which lags behind. Only an unknown printable status
 * wins.
 */
function runningState(
  { printableStatus }: ObservedVm,
  { paused, isMigrating, notReady }: ObservedVmi,
): VmState {
  if (!isKnownStatus(printableStatus) || printableStatus === 'Unknown') return 'Unknown'
  if (isMigrating) return 'Migrating'
  // The node deletes the launcher pod; whether the VM restarts is observed later.
  if (notReady?.reason === 'PodTerminating') return 'Stopping'
  return paused ? 'Paused' : 'Running'
}

function stateWithoutVmi(desired: DesiredVm, observed: ObservedVm): VmState {
  const { printableStatus: status } = observed
  // KubeVirt has not processed the VM yet, which differs from stopped.
  if (status === null) return 'Pending'
  if (!isKnownStatus(status)) return 'Unknown'
  if (observed.vmi && observed.queued.includes('start')) return 'Restarting'
  if (desired.wantedPower === 'off') return whileOff[status]
  if (observed.vmi?.phase === 'Failed' && observed.runStrategy !== 'Halted') return 'Error'
  return status === 'Stopped' ? stoppedButDesiredOn(observed) : whileDesiredOn[status]
}

/**
 * Interprets `Stopped` for a VM that should run. KubeVirt also shows it before the first start and
 * after a refused start. The applied run strategy distinguishes them from a guest that shut itself
 * down.
 */
function stoppedButDesiredOn(observed: ObservedVm): VmState {
  if (observed.conditions.failure) return 'Error'
  if (observed.queued.includes('start')) return 'Starting'
  const willStart =
    observed.runStrategy === 'Always' ||
    observed.runStrategy === 'Halted' ||
    observed.followedRunStrategy !== observed.runStrategy
  return willStart && !observed.vmi ? 'Starting' : 'Stopped'
}

/** All printable statuses of KubeVirt. */
export const printableStatuses = [
  'Stopped',
  'Provisioning',
  'Starting',
  'Running',
  'Paused',
  'Stopping',
  'Terminating',
  'CrashLoopBackOff',
  'Migrating',
  'Unknown',
  'ErrorUnschedulable',
  'ErrImagePull',
  'ImagePullBackOff',
  'ErrorPvcNotFound',
  'DataVolumeError',
  'WaitingForVolumeBinding',
  'WaitingForReceiver',
] as const
type PrintableStatus = (typeof printableStatuses)[number]

const isKnownStatus = (status: string | null): status is PrintableStatus =>
  printableStatuses.some((known) => known === status)

/** States of a VM whose VMI is starting, by printable status. */
const whileStarting: Readonly<Record<PrintableStatus, VmState>> = {
  // The status is from before this VMI was created.
  Stopped: 'Starting',
  Provisioning: 'Provisioning',
  Starting: 'Starting',
  // The status is of the previous VMI.
  Running: 'Starting',
  Paused: 'Starting',
  Migrating: 'Starting',
  Stopping: 'Stopping',
  Terminating: 'Deleting',
  CrashLoopBackOff: 'Error',
  Unknown: 'Unknown',
  ErrorUnschedulable: 'Error',
  ErrImagePull: 'Error',
  ImagePullBackOff: 'Error',
  ErrorPvcNotFound: 'Error',
  DataVolumeError: 'Error',
  WaitingForVolumeBinding: 'Provisioning',
  // Berth never requests a receiver, so another client has changed the VM.
  WaitingForReceiver: 'Unknown',
}

/**
 * States of a VM that should run but has no VMI. A status such as `Running` is of the VMI that has
 * just ended.
 */
const whileDesiredOn: Readonly<Record<PrintableStatus, VmState>> = {
  ...whileStarting,
  Running: 'Stopping',
  Paused: 'Stopping',
  Migrating: 'Stopping',
}

/**
 * States of a VM that is off as desired. Errors of a start no longer matter; errors of disks do.
 */
const whileOff: Readonly<Record<PrintableStatus, VmState>> = {
  ...whileDesiredOn,
  Stopped: 'Stopped',
  Starting: 'Stopping',
  CrashLoopBackOff: 'Stopped',
  ErrorUnschedulable: 'Stopping',
  ErrImagePull: 'Stopping',
  ImagePullBackOff: 'Stopping',
}
