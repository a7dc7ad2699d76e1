import * as causeOf from './explain-cause.ts'
import { type Cause, isQuotaExceeded } from './explain-cause.ts'
import { type VmDifference, acceptedDrift, describeDifference } from '../vm-drift/drift.ts'
import { type ObservedDisk, type ObservedReason, type ObservedVm } from './observed.ts'
import { type DesiredVm, stateOf, type VmState } from './state.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/*
 * Explains to the owner why a VM differs from its desired state: the cause, the time, the remedy
 * and who can apply it. Messages of the cluster only select an explanation. They are never shown,
 * because they name nodes, namespaces and volumes that tenants must not see.
 */
export const explanationCodes = [
  'changed_outside',
  'crash_loop',
  'deleted_outside',
  'deploy_failed',
  'disk_failed',
  'disk_missing',
  'host_lost',
  'image_unavailable',
  'lost',
  'platform_incomplete',
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
  /** When it began; null when the cluster does not report it. */
  since: string | null
  cause: Message
  nextStep: Message
  whoCanFix: 'you' | 'operator' | 'nobody'
}

interface ExplainedVm extends DesiredVm {
  /** How the VM object differs from Berth, because another client changed it. */
  drift?: readonly VmDifference[] | null
}

interface ExplainedCause extends Cause {
  code: ExplanationCode
  since?: string | null | undefined
}

/**
 * Explains the state of a VM, or returns null when the VM is fine or progresses as usual. A guest
 * without an agent is fine.
 */
export function explain(desired: ExplainedVm, observed: ObservedVm | null): Explanation | null {
  const state = stateOf(desired, observed)
  const explanation = explainState(desired, observed, state)
  return (
    explanation && {
      ...explanation,
      summary: messageOf(`vm.${explanation.code}.summary`),
      since: explanation.since ?? null,
    }
  )
}

function explainState(
  desired: ExplainedVm,
  observed: ObservedVm | null,
  state: VmState,
): ExplainedCause | null {
  const absence = explainAbsence(desired, observed, state)
  if (absence || desired.deleteRequested) return absence
  const present = observed && explainPresence(desired, observed, state)
  // A change by another client is also what asks for a restart.
  if (present && present.code !== 'restart_needed') return present
  return (state === 'Failed' ? explainFailure(desired) : null) ?? explainDrift(desired) ?? present
}

/** Explains a VM for which the operator must provide a component or a right first. */
export const explainObstacle = (cause: Message): Explanation => ({
  code: 'platform_incomplete',
  summary: messageOf('vm.platform_incomplete.summary'),
  since: null,
  cause,
  nextStep: messageOf('operation.continues'),
  whoCanFix: 'operator',
})

function explainAbsence(
  desired: DesiredVm,
  observed: ObservedVm | null,
  state: VmState,
): ExplainedCause | null {
  if (state === 'Lost') return { code: observed ? 'replaced' : 'lost', ...removed }
  if (state !== 'Deleting' || desired.deleteRequested) return null
  return {
    code: 'deleted_outside',
    cause: messageOf('vm.cause.deleted_outside'),
    nextStep: messageOf('vm.next.deleted_outside'),
    whoCanFix: 'operator',
  }
}

function explainFailure({ failure }: DesiredVm): ExplainedCause | null {
  if (!failure) return null
  const needsOperator = operatorCauses.includes(failure.key)
  return {
    code: 'deploy_failed',
    cause: failure,
    nextStep: messageOf(needsOperator ? 'vm.next.deploy_refused' : 'vm.next.deploy_failed'),
    whoCanFix: needsOperator ? 'operator' : 'you',
  }
}

function explainDrift({ drift }: ExplainedVm): ExplainedCause | null {
  if (!drift || drift.length === 0) return null
  return {
    code: 'changed_outside',
    cause: messageOf('vm.cause.changed_outside', { differences: drift.map(describeDifference) }),
    nextStep: messageOf(
      acceptedDrift(drift) ? 'vm.next.changed_outside' : 'vm.next.changed_outside_revert',
    ),
    whoCanFix: 'you',
  }
}

/** Failures of a deploy whose sentences tell the user to ask the operator. */
const operatorCauses: readonly string[] = ['vm.make_refused']

const removed: Cause = {
  cause: messageOf('vm.cause.removed'),
  nextStep: messageOf('vm.next.removed'),
  whoCanFix: 'operator',
}

function explainPresence(
  desired: DesiredVm,
  observed: ObservedVm,
  state: VmState,
): ExplainedCause | null {
  const { vmi } = observed
  if (vmi?.nodeLost)
    return { code: 'host_lost', since: vmi.notReady?.since ?? vmi.since, ...silentNode }
  if (state === 'Unknown') return { code: 'unknown', ...unknownState }
  return (
    (blockedStates.includes(state) ? explainBlockedStart(desired, observed) : null) ??
    (state === 'Error' ? { code: 'start_refused', ...refused } : explainConditions(observed))
  )
}

/**
 * Checks the most specific cause first: a volume that cannot be created also makes a VM
 * unschedulable.
 */
const explainBlockedStart = (desired: DesiredVm, observed: ObservedVm): ExplainedCause | null =>
  explainDisks(observed) ?? explainReasons(desired, observed) ?? explainFailures(observed)

const blockedStates: readonly VmState[] = ['Error', 'Starting', 'Provisioning', 'Failed']

function explainDisks({ disks }: ObservedVm): ExplainedCause | null {
  const missing = disks.find(({ state }) => state === 'missing')
  if (missing) return { code: 'disk_missing', since: missing.trouble?.since, ...missingDisk }
  const failed = disks.find(({ state }) => state === 'failed' || state === 'failing')
  return failed ? explainFailedDisk(failed) : null
}

function explainFailedDisk({ trouble }: ObservedDisk): ExplainedCause {
  if (isQuotaExceeded(trouble))
    return { code: 'quota_exceeded', since: trouble?.since, ...causeOf.quota(trouble) }
  return { code: 'disk_failed', since: trouble?.since, ...causeOf.disk(trouble) }
}

/** Checks the reasons of the VMI, the launcher pod and the VM, in this order. */
function explainReasons(
  desired: DesiredVm,
  { vmi, launcher, conditions, printableStatus }: ObservedVm,
): ExplainedCause | null {
  const reasons = [vmi?.notSynchronized, launcher?.waiting, conditions.failure].filter(
    (each) => each !== null && each !== undefined,
  )
  for (const reason of reasons) {
    const explanation = explainReason(reason)
    if (explanation) return explanation
  }
  const unscheduled = vmi?.unscheduled ?? launcher?.unscheduled
  if (unscheduled)
    return {
      since: unscheduled.since,
      ...(mentionsVolume(unscheduled) ? lackingDisk : unschedulable(desired, unscheduled)),
    }
  return explainStatus(desired, printableStatus)
}

function explainReason(reason: ObservedReason): ExplainedCause | null {
  const { since } = reason
  if (isQuotaExceeded(reason)) return { code: 'quota_exceeded', since, ...causeOf.quota(reason) }
  if (reason.reason === 'FailedPvcNotFound') return { since, ...lackingDisk }
  if (/^(ErrImage|ImagePull|InvalidImageName|ImageInspectError)/.test(reason.reason ?? ''))
    return { code: 'image_unavailable', since, ...causeOf.image(reason) }
  return /^(Failed|Create|RunContainer)/.test(reason.reason ?? '')
    ? { code: 'start_refused', since, ...refused }
    : null
}

/** Uses the printable status alone, because lists are read without details. */
function explainStatus(desired: DesiredVm, status: string | null): ExplainedCause | null {
  const explanation: Readonly<Record<string, ExplainedCause>> = {
    ErrorPvcNotFound: lackingDisk,
    DataVolumeError: { code: 'disk_failed', ...causeOf.disk(null) },
    ErrImagePull: { code: 'image_unavailable', ...causeOf.image(null) },
    ImagePullBackOff: { code: 'image_unavailable', ...causeOf.image(null) },
    ErrorUnschedulable: unschedulable(desired, null),
  }
  return explanation[status ?? ''] ?? null
}

const unschedulable = (
  { dedicatedCpu }: DesiredVm,
  reasons: ObservedReason | null,
): ExplainedCause => ({
  code: 'unschedulable',
  ...causeOf.unschedulable(reasons, { dedicatedCpu }),
})
const mentionsVolume = ({ message }: ObservedReason): boolean =>
  /PVC .* does not exist|persistentvolumeclaim .* not found/.test(message ?? '')

function explainFailures({
  startFailures,
  vmi,
  printableStatus,
}: ObservedVm): ExplainedCause | null {
  const isLooping =
    (startFailures?.count ?? 0) > 0 ||
    printableStatus === 'CrashLoopBackOff' ||
    vmi?.phase === 'Failed'
  return isLooping ? { code: 'crash_loop', since: vmi?.since, ...crashing } : null
}

/** Explains a VM that runs or is stopped as desired but still needs attention. */
function explainConditions({ vmi, conditions }: ObservedVm): ExplainedCause | null {
  if (vmi?.paused?.reason === 'PausedIOError')
    return { code: 'storage_full', since: vmi.paused.since, ...fullStorage }
  if (conditions.manualRecovery)
    return {
      code: 'recovery_needed',
      since: conditions.manualRecovery.since,
      ...incompleteMigration,
    }
  return conditions.restartRequired && vmi
    ? { code: 'restart_needed', since: conditions.restartRequired.since, ...pending }
    : null
}

const silentNode: Cause = {
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
const lackingDisk: ExplainedCause = { code: 'disk_missing', ...missingDisk }
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
const incompleteMigration: Cause = {
  cause: messageOf('vm.cause.half_moved'),
  nextStep: messageOf('vm.next.half_moved'),
  whoCanFix: 'operator',
}
const pending: Cause = {
  cause: messageOf('vm.cause.pending'),
  nextStep: messageOf('vm.next.pending'),
  whoCanFix: 'you',
}
