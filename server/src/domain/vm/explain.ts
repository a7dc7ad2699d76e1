import * as causeOf from './explain-cause.ts'
import { type Cause, isAboutQuota } from './explain-cause.ts'
import { type SeenDisk, type SeenReason, type SeenVm } from './seen.ts'
import { type AskedVm, stateOf, type VmState } from './state.ts'

/*
 * Why a VM is not as asked, for whoever owns it: what happened, since when, what to do about it and
 * who can. The cluster's own sentences choose among ours and are never repeated, because they name
 * hosts, spaces and volumes that are nobody's business outside the platform.
 */
export const explanationCodes = [
  'crash_loop',
  'deleted_outside',
  'disk_failed',
  'disk_missing',
  'host_lost',
  'image_unavailable',
  'lost',
  'quota_exceeded',
  'recovery_needed',
  'replaced',
  'restart_needed',
  'start_refused',
  'storage_full',
  'unknown',
  'unschedulable',
] as const
export type ExplanationCode = (typeof explanationCodes)[number]

export interface Explanation {
  code: ExplanationCode
  summary: string
  /** Null where nobody wrote it down. */
  since: string | null
  cause: string
  nextStep: string
  whoCanFix: 'you' | 'operator' | 'nobody'
}

interface Found extends Cause {
  code: ExplanationCode
  since?: string | null | undefined
}

/**
 * What there is to explain about a VM; null when it is fine, or on its way as usual. A guest
 * without an agent is fine.
 */
export function explain(asked: AskedVm, seen: SeenVm | null): Explanation | null {
  const state = stateOf(asked, seen)
  const found =
    ofAbsence(asked, seen, state) ??
    (seen && !asked.deleteRequested ? ofPresence(seen, state) : null)
  return found && { ...found, summary: summaries[found.code], since: found.since ?? null }
}

const summaries: Readonly<Record<ExplanationCode, string>> = {
  crash_loop: 'The VM breaks off each time it starts.',
  deleted_outside: 'Somebody is deleting the VM outside of this platform.',
  disk_failed: 'A disk of the VM could not be filled.',
  disk_missing: 'A disk of the VM is missing.',
  host_lost: 'The machine that the VM runs on does not answer.',
  image_unavailable: 'The image of the VM could not be fetched.',
  lost: 'The VM was removed outside of this platform.',
  quota_exceeded: 'A limit of your tenant holds the VM back.',
  recovery_needed: 'Moving a disk of the VM broke off halfway.',
  replaced: 'The VM was removed outside of this platform, and something else bears its name.',
  restart_needed: 'A change takes effect with the next restart.',
  start_refused: 'The VM could not be started.',
  storage_full: 'The VM stands still because its storage takes no more.',
  unknown: 'The state of the VM is not known.',
  unschedulable: 'There is no place for the VM at the moment.',
}

function ofAbsence(asked: AskedVm, seen: SeenVm | null, state: VmState): Found | null {
  if (state === 'Lost') return { code: seen ? 'replaced' : 'lost', ...removed }
  if (state !== 'Deleting' || asked.deleteRequested) return null
  return {
    code: 'deleted_outside',
    cause: 'It was not asked for here.',
    nextStep: 'Delete the VM here too once it is gone, and ask the operator who removed it.',
    whoCanFix: 'operator',
  }
}

const removed: Cause = {
  cause: 'It was there and is not any more, although nobody asked for that here.',
  nextStep:
    'Ask the operator what happened. If its disks are gone with it, delete the VM and deploy it again.',
  whoCanFix: 'operator',
}

function ofPresence(seen: SeenVm, state: VmState): Found | null {
  const { instance } = seen
  if (instance?.nodeLost)
    return { code: 'host_lost', since: instance.notReady?.since ?? instance.since, ...silentHost }
  if (state === 'Unknown') return { code: 'unknown', ...unknownState }
  return (
    (heldBack.includes(state) ? ofHeldBack(seen) : null) ??
    (state === 'Error' ? { code: 'start_refused', ...refused } : ofStanding(seen))
  )
}

/**
 * The nearer to the cause, the earlier: a volume that cannot be made also leaves a VM without a
 * place.
 */
const ofHeldBack = (seen: SeenVm): Found | null =>
  ofDisks(seen) ?? ofReasons(seen) ?? ofFailures(seen)

const heldBack: readonly VmState[] = ['Error', 'Starting', 'Provisioning']

function ofDisks({ disks }: SeenVm): Found | null {
  const missing = disks.find(({ state }) => state === 'missing')
  if (missing) return { code: 'disk_missing', since: missing.trouble?.since, ...missingDisk }
  const failed = disks.find(({ state }) => state === 'failed' || state === 'failing')
  return failed ? ofFailedDisk(failed) : null
}

function ofFailedDisk({ trouble }: SeenDisk): Found {
  if (isAboutQuota(trouble))
    return { code: 'quota_exceeded', since: trouble?.since, ...causeOf.quota(trouble) }
  return { code: 'disk_failed', since: trouble?.since, ...causeOf.disk(trouble) }
}

/** What the cluster says of the run, the VM and the start, in this order. */
function ofReasons({ instance, launcher, conditions, printableStatus }: SeenVm): Found | null {
  const said = [instance?.notSynchronized, launcher?.waiting, conditions.failure].filter(
    (each) => each !== null && each !== undefined,
  )
  for (const reason of said) {
    const found = ofReason(reason)
    if (found) return found
  }
  const unscheduled = instance?.unscheduled ?? launcher?.unscheduled
  if (unscheduled)
    return {
      since: unscheduled.since,
      ...(mentionsVolume(unscheduled) ? lackingDisk : placeless(unscheduled)),
    }
  return ofStatus(printableStatus)
}

function ofReason(reason: SeenReason): Found | null {
  const { since } = reason
  if (isAboutQuota(reason)) return { code: 'quota_exceeded', since, ...causeOf.quota(reason) }
  if (reason.reason === 'FailedPvcNotFound') return { since, ...lackingDisk }
  if (/^(ErrImage|ImagePull|InvalidImageName|ImageInspectError)/.test(reason.reason ?? ''))
    return { code: 'image_unavailable', since, ...causeOf.image(reason) }
  return /^(Failed|Create|RunContainer)/.test(reason.reason ?? '')
    ? { code: 'start_refused', since, ...refused }
    : null
}

/** Only the summary is known, as where lists are read. */
function ofStatus(status: string | null): Found | null {
  const found: Readonly<Record<string, Found>> = {
    ErrorPvcNotFound: lackingDisk,
    DataVolumeError: { code: 'disk_failed', ...causeOf.disk(null) },
    ErrImagePull: { code: 'image_unavailable', ...causeOf.image(null) },
    ImagePullBackOff: { code: 'image_unavailable', ...causeOf.image(null) },
    ErrorUnschedulable: placeless(null),
  }
  return found[status ?? ''] ?? null
}

const placeless = (said: SeenReason | null): Found => ({
  code: 'unschedulable',
  ...causeOf.unschedulable(said),
})
const mentionsVolume = ({ message }: SeenReason): boolean =>
  /PVC .* does not exist|persistentvolumeclaim .* not found/.test(message ?? '')

function ofFailures({ startFailures, instance, printableStatus }: SeenVm): Found | null {
  const isLooping =
    (startFailures?.count ?? 0) > 0 ||
    printableStatus === 'CrashLoopBackOff' ||
    instance?.phase === 'Failed'
  return isLooping ? { code: 'crash_loop', since: instance?.since, ...crashing } : null
}

/** Of a VM that is there and does what it should, more or less. */
function ofStanding({ instance, conditions }: SeenVm): Found | null {
  if (instance?.paused?.reason === 'PausedIOError')
    return { code: 'storage_full', since: instance.paused.since, ...fullStorage }
  if (conditions.manualRecovery)
    return { code: 'recovery_needed', since: conditions.manualRecovery.since, ...halfMoved }
  return conditions.restartRequired && instance
    ? { code: 'restart_needed', since: conditions.restartRequired.since, ...pending }
    : null
}

const silentHost: Cause = {
  cause: 'The connection to the machine is broken. The VM may still run on it; nobody can tell.',
  nextStep:
    'Wait: the VM comes back with the machine, or is started on another one when the machine is given up.',
  whoCanFix: 'operator',
}
const unknownState: Cause = {
  cause: 'What the platform reports about it is not understood.',
  nextStep: 'Wait a minute. If it stays so, tell the operator the name of the VM.',
  whoCanFix: 'operator',
}
const missingDisk: Cause = {
  cause: 'The volume behind it was deleted, or was never made.',
  nextStep:
    'Detach the missing disk and start the VM again; restore the disk from a snapshot if you need what was on it.',
  whoCanFix: 'you',
}
const lackingDisk: Found = { code: 'disk_missing', ...missingDisk }
const refused: Cause = {
  cause: 'The platform did not accept the VM as it is described.',
  nextStep:
    'Undo the last change to the VM and start it again. If it was never changed, tell the operator its name.',
  whoCanFix: 'operator',
}
const crashing: Cause = {
  cause: 'Its guest or the program that runs it ended with an error several times in a row.',
  nextStep:
    'Read the log of the VM for its last words, correct what they complain about, and start it again.',
  whoCanFix: 'you',
}
const fullStorage: Cause = {
  cause: 'A write to one of its disks failed, mostly because the storage behind it is full.',
  nextStep: 'Ask the operator to make room, then resume the VM.',
  whoCanFix: 'operator',
}
const halfMoved: Cause = {
  cause: 'Its disk was on its way to other storage when the move failed.',
  nextStep: 'Leave the VM as it is and ask the operator to finish or undo the move.',
  whoCanFix: 'operator',
}
const pending: Cause = {
  cause: 'Something was changed that a running VM cannot take over.',
  nextStep: 'Restart the VM when it suits you.',
  whoCanFix: 'you',
}
