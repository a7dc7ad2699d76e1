import * as causeOf from './explain-cause.ts'
import { type Cause, isAboutQuota } from './explain-cause.ts'
import { type SeenDisk, type SeenReason, type SeenVm } from './seen.ts'
import { type AskedVm, stateOf, type VmState } from './state.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

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
  summary: Message
  /** Null where nobody wrote it down. */
  since: string | null
  cause: Message
  nextStep: Message
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
  return (
    found && {
      ...found,
      summary: messageOf(`vm.${found.code}.summary`),
      since: found.since ?? null,
    }
  )
}

function ofAbsence(asked: AskedVm, seen: SeenVm | null, state: VmState): Found | null {
  if (state === 'Lost') return { code: seen ? 'replaced' : 'lost', ...removed }
  if (state !== 'Deleting' || asked.deleteRequested) return null
  return {
    code: 'deleted_outside',
    cause: messageOf('vm.cause.deleted_outside'),
    nextStep: messageOf('vm.next.deleted_outside'),
    whoCanFix: 'operator',
  }
}

const removed: Cause = {
  cause: messageOf('vm.cause.removed'),
  nextStep: messageOf('vm.next.removed'),
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
  cause: messageOf('vm.cause.silent_host'),
  nextStep: messageOf('vm.next.silent_host'),
  whoCanFix: 'operator',
}
const unknownState: Cause = {
  cause: messageOf('vm.cause.unknown'),
  nextStep: messageOf('vm.next.unknown'),
  whoCanFix: 'operator',
}
const missingDisk: Cause = {
  cause: messageOf('vm.cause.disk_missing'),
  nextStep: messageOf('vm.next.disk_missing'),
  whoCanFix: 'you',
}
const lackingDisk: Found = { code: 'disk_missing', ...missingDisk }
const refused: Cause = {
  cause: messageOf('vm.cause.refused'),
  nextStep: messageOf('vm.next.refused'),
  whoCanFix: 'operator',
}
const crashing: Cause = {
  cause: messageOf('vm.cause.crashing'),
  nextStep: messageOf('vm.next.crashing'),
  whoCanFix: 'you',
}
const fullStorage: Cause = {
  cause: messageOf('vm.cause.storage_full'),
  nextStep: messageOf('vm.next.storage_full'),
  whoCanFix: 'operator',
}
const halfMoved: Cause = {
  cause: messageOf('vm.cause.half_moved'),
  nextStep: messageOf('vm.next.half_moved'),
  whoCanFix: 'operator',
}
const pending: Cause = {
  cause: messageOf('vm.cause.pending'),
  nextStep: messageOf('vm.next.pending'),
  whoCanFix: 'you',
}
