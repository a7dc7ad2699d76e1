import { type FaultCode } from '../../engine/model/fault.ts'
import { type ObservedDataVolume } from '../volume/data-volume.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/**
 * Reasons why an import failed. The list is closed: the messages of importers would reveal the
 * operator's network to tenants (S-33).
 */
export const importReasons = [
  'unreachable',
  'not_found',
  'tls',
  'not_an_image',
  'too_large',
  'no_space',
  'timeout',
  'importer_missing',
  'name_in_use',
  'cancelled',
  'lost',
] as const

export type ImportReason = (typeof importReasons)[number]

interface FailureMessage {
  /** The fault code of the operation. */
  code: FaultCode
  sentence: Message
}

export const importFailureMessages: Record<ImportReason, FailureMessage> = {
  unreachable: {
    code: 'import_failed',
    sentence: messageOf('template.import.unreachable'),
  },
  not_found: {
    code: 'import_failed',
    sentence: messageOf('template.import.not_found'),
  },
  tls: {
    code: 'import_failed',
    sentence: messageOf('template.import.tls'),
  },
  not_an_image: {
    code: 'import_failed',
    sentence: messageOf('template.import.not_an_image'),
  },
  too_large: {
    code: 'import_failed',
    sentence: messageOf('template.import.too_large'),
  },
  no_space: {
    code: 'capacity',
    sentence: messageOf('template.import.no_space'),
  },
  timeout: {
    code: 'timeout',
    sentence: messageOf('template.import.timeout'),
  },
  importer_missing: {
    code: 'cluster_unavailable',
    sentence: messageOf('template.import.importer_missing'),
  },
  name_in_use: {
    code: 'cluster_name_conflict',
    sentence: messageOf('template.import.name_in_use'),
  },
  cancelled: {
    code: 'cancelled',
    sentence: messageOf('template.import.cancelled'),
  },
  lost: {
    code: 'import_failed',
    sentence: messageOf('template.import.lost'),
  },
}

/**
 * Says why an import failed. Only the volume of an import may still be completed after the
 * deadline.
 */
export const importFailureSentence = (reason: ImportReason, hasVolume: boolean): Message =>
  reason === 'timeout' && !hasVolume
    ? messageOf('template.import.not_started')
    : importFailureMessages[reason].sentence

/*
 * Importers never give up. With a wrong URL, the importer restarts again and again and reports the
 * reason only between restarts. A reason therefore counts after a number of restarts: sooner for
 * permanent reasons, later for transient ones.
 */
export const failureThresholds = {
  restarts: { sure: 2, passing: 3, unknown: 6 },
  /** Time limits for a claim that cannot be created, and for an importer that does not start. */
  claimMs: 20_000,
  importerMs: 120_000,
} as const

const transientReasons: readonly ImportReason[] = ['unreachable', 'no_space']

/**
 * Returns why the import has failed, or null while it may still succeed. `waitedMs` is the time
 * since it was requested.
 */
export function failureIn(observed: ObservedDataVolume, waitedMs: number): ImportReason | null {
  if (observed.phase === 'Succeeded' || observed.running.isTrue) return null
  if (observed.phase === 'Failed') return reasonIn(observed.running.message) ?? 'not_an_image'
  return obstacleOf(observed, waitedMs) ?? reasonAfterRestarts(observed)
}

function obstacleOf({ bound, running }: ObservedDataVolume, waitedMs: number): ImportReason | null {
  if (claimErrors.includes(bound.reason) && waitedMs >= failureThresholds.claimMs) return 'no_space'
  return importerErrors.includes(running.reason) && waitedMs >= failureThresholds.importerMs
    ? 'importer_missing'
    : null
}

function reasonAfterRestarts({ restarts, running }: ObservedDataVolume): ImportReason | null {
  if (running.message === '' || restarts === 0) return null
  const reason = reasonIn(running.message)
  return restarts >= restartsFor(reason) ? (reason ?? 'timeout') : null
}

function restartsFor(reason: ImportReason | null): number {
  if (reason === null) return failureThresholds.restarts.unknown
  return transientReasons.includes(reason)
    ? failureThresholds.restarts.passing
    : failureThresholds.restarts.sure
}

const claimErrors = ['ErrExceededQuota', 'ErrClaimNotValid', 'ErrUnableToCreatePVC']
const importerErrors = [
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'CreateContainerError',
  'CreateContainerConfigError',
  'ImagePullFailed',
]

// The first match counts. A network error during processing is reported in a sentence about
// processing.
const patterns: readonly (readonly [ImportReason, RegExp])[] = [
  ['not_found', /expected status code \d+, got (404|410)/],
  ['tls', /x509|certificate|\btls\b|\bssl\b|EPROTO|altname/i],
  ['too_large', /larger than the (reported )?available|a larger pvc is required/i],
  ['no_space', /no space left|ENOSPC|not enough (disk )?space/i],
  [
    'unreachable',
    /unable to connect|unable to transfer|expected status code|dial tcp|no such host|connection (refused|reset)|timed? ?out|deadline exceeded|unexpected EOF|aborted|ECONN|ENOTFOUND|EHOSTUNREACH|EAI_/i,
  ],
  [
    'not_an_image',
    /unable to (process|convert|validate)|qemu-img|image format|not an image|unsupported|checksum/i,
  ],
]

/**
 * Maps the last message of an importer to a reason. URLs are removed first, because tenants choose
 * their text.
 */
function reasonIn(message: string): ImportReason | null {
  const text = message.replaceAll(/"[^"]*"|https?:\/\/\S+/g, '')
  return patterns.find(([, pattern]) => pattern.test(text))?.[0] ?? null
}
