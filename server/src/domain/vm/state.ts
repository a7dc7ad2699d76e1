import { type SeenInstance, type SeenVm, isOver } from './seen.ts'

/*
 * One state per VM, as a user would call it: a total function of what was asked and what was seen.
 * It never claims more than was seen: a word of the cluster that we do not know is `Unknown`, and
 * `Running` needs the VM and what runs of it to agree.
 */
export const vmStates = [
  'Pending', //      accepted; the cluster has made nothing of it yet
  'Provisioning', // its disks are being made and filled
  'Starting',
  'Running',
  'Paused',
  'Migrating', //    it runs, and moves to another host meanwhile
  'Restarting',
  'Stopping',
  'Stopped',
  'Deleting',
  // it is not as asked, and will not be unless something changes; `explain` says what
  'Error',
  'Unknown', //      nobody can tell at the moment
  'Lost', //         it was made once, and somebody removed it behind our back
] as const
export type VmState = (typeof vmStates)[number]

/** What the intent columns of the row say. */
export interface AskedVm {
  wantedPower: 'on' | 'off'
  deleteRequested: boolean
  /** The identity in the cluster since it was first made; null before. */
  clusterUid: string | null
}

/**
 * The state of a VM of which this was asked and this was seen; null is that the cluster has no VM
 * of the name.
 */
export function stateOf(asked: AskedVm, seen: SeenVm | null): VmState {
  if (asked.deleteRequested) return 'Deleting'
  if (!seen) return asked.clusterUid === null ? 'Pending' : 'Lost'
  // Another VM under our name is not the one that was lost.
  if (asked.clusterUid !== null && asked.clusterUid !== seen.uid) return 'Lost'
  if (seen.isDeleting || seen.printableStatus === 'Terminating') return 'Deleting'
  return seen.instance && !isOver(seen.instance.phase)
    ? ofInstance(asked, seen, seen.instance)
    : ofNoInstance(asked, seen)
}

function ofInstance(asked: AskedVm, seen: SeenVm, instance: SeenInstance): VmState {
  const life = instance.nodeLost ? undefined : lives[instance.phase ?? 'Pending']
  if (life === undefined) return 'Unknown'
  if (seen.queued.includes('start')) return 'Restarting'
  // The order is given even before the cluster has begun to follow it.
  if (instance.isDeleting || asked.wantedPower === 'off') return 'Stopping'
  return life === 'Running' ? ofRunning(seen, instance) : ofStarting(seen, instance)
}

function ofStarting(seen: SeenVm, instance: SeenInstance): VmState {
  if (!isKnownStatus(seen.printableStatus)) return 'Unknown'
  const state = whileStarting[seen.printableStatus]
  return state === 'Starting' && isHeldBack(seen, instance) ? 'Error' : state
}

/**
 * The cluster still says `Starting` when it may not make what should run, and would say so for
 * ever.
 */
const isHeldBack = ({ launcher }: SeenVm, { notSynchronized }: SeenInstance): boolean =>
  notSynchronized?.reason === 'FailedCreate' ||
  (launcher !== null && (launcher.unscheduled !== null || launcher.waiting !== null))

/** Of all phases in which something is there to run. */
const lives: Readonly<Record<string, 'Starting' | 'Running'>> = {
  Pending: 'Starting',
  Scheduling: 'Starting',
  Scheduled: 'Starting',
  WaitingForSync: 'Starting',
  Running: 'Running',
}

/**
 * What runs is closer to the truth than the cluster's summary, which is a moment older; only a
 * summary that we do not know wins.
 */
function ofRunning(
  { printableStatus }: SeenVm,
  { paused, isMigrating, notReady }: SeenInstance,
): VmState {
  if (!isKnownStatus(printableStatus) || printableStatus === 'Unknown') return 'Unknown'
  if (isMigrating) return 'Migrating'
  // Its host takes away what it runs in; whether it comes back is seen afterwards.
  if (notReady?.reason === 'PodTerminating') return 'Stopping'
  return paused ? 'Paused' : 'Running'
}

function ofNoInstance(asked: AskedVm, seen: SeenVm): VmState {
  const { printableStatus: status } = seen
  // The cluster has not looked at it yet, which is not the same as stopped.
  if (status === null) return 'Pending'
  if (!isKnownStatus(status)) return 'Unknown'
  if (seen.instance && seen.queued.includes('start')) return 'Restarting'
  if (asked.wantedPower === 'off') return whileOff[status]
  if (seen.instance?.phase === 'Failed' && seen.runStrategy !== 'Halted') return 'Error'
  return status === 'Stopped' ? ofStoppedButWanted(seen) : whileWanted[status]
}

/**
 * `Stopped` is also what a VM shows before its first start, and one whose start was refused. That a
 * guest has shut itself down and stays down is told from it by what the cluster has already acted
 * upon.
 */
function ofStoppedButWanted(seen: SeenVm): VmState {
  if (seen.conditions.failure) return 'Error'
  if (seen.queued.includes('start')) return 'Starting'
  const willStart =
    seen.runStrategy === 'Always' ||
    seen.runStrategy === 'Halted' ||
    seen.followedRunStrategy !== seen.runStrategy
  return willStart && !seen.instance ? 'Starting' : 'Stopped'
}

/** All summaries that KubeVirt has. */
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

/** Something is there that should run and does not yet. */
const whileStarting: Readonly<Record<PrintableStatus, VmState>> = {
  // Of the moment before this run, or after the one before.
  Stopped: 'Starting',
  Provisioning: 'Provisioning',
  Starting: 'Starting',
  // It ran a moment ago, in the run before this one.
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
  // Berth never asks for one, so somebody else is at work here.
  WaitingForReceiver: 'Unknown',
}

/**
 * Nothing runs, and something should. A summary that says otherwise is of the run that has just
 * ended.
 */
const whileWanted: Readonly<Record<PrintableStatus, VmState>> = {
  ...whileStarting,
  Running: 'Stopping',
  Paused: 'Stopping',
  Migrating: 'Stopping',
}

/**
 * Nothing runs, and nothing should. What was wrong with a start does not matter any more; what is
 * wrong with a disk does.
 */
const whileOff: Readonly<Record<PrintableStatus, VmState>> = {
  ...whileWanted,
  Stopped: 'Stopped',
  Starting: 'Stopping',
  CrashLoopBackOff: 'Stopped',
  ErrorUnschedulable: 'Stopping',
  ErrImagePull: 'Stopping',
  ImagePullBackOff: 'Stopping',
}
