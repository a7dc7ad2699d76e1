import { type FaultCode } from '../../engine/model/fault.ts'
import { type SeenDataVolume } from '../volume/data-volume.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/**
 * Why an import ended without an image. The list is closed: what importers say beyond it would tell
 * tenants about the operator's network (S-33).
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
  'cancelled',
  'lost',
] as const

export type ImportReason = (typeof importReasons)[number]

interface Words {
  /** How the operation fails. */
  code: FaultCode
  sentence: Message
}

export const importWords: Record<ImportReason, Words> = {
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
  cancelled: {
    code: 'cancelled',
    sentence: messageOf('template.import.cancelled'),
  },
  lost: {
    code: 'import_failed',
    sentence: messageOf('template.import.lost'),
  },
}

/*
 * Importers never give up: a wrong URL looks like an import in progress whose importer begins again
 * and again, and says why only in the pauses between. So it is counted: what will not change by
 * itself is believed sooner than what may pass.
 */
export const patience = {
  restarts: { sure: 2, passing: 3, unknown: 6 },
  /** For a claim that cannot be made, and for an importer that does not come up. */
  claimMs: 20_000,
  importerMs: 120_000,
} as const

const passing: readonly ImportReason[] = ['unreachable', 'no_space']

/**
 * Why the import must count as failed; null while it may still go well. `waitedMs` since it was
 * asked for.
 */
export function failureIn(seen: SeenDataVolume, waitedMs: number): ImportReason | null {
  if (seen.phase === 'Succeeded' || seen.running.isTrue) return null
  if (seen.phase === 'Failed') return reasonIn(seen.running.message) ?? 'not_an_image'
  return hindrance(seen, waitedMs) ?? lastWords(seen)
}

function hindrance({ bound, running }: SeenDataVolume, waitedMs: number): ImportReason | null {
  if (claimTroubles.includes(bound.reason) && waitedMs >= patience.claimMs) return 'no_space'
  return importerTroubles.includes(running.reason) && waitedMs >= patience.importerMs
    ? 'importer_missing'
    : null
}

function lastWords({ restarts, running }: SeenDataVolume): ImportReason | null {
  if (running.message === '' || restarts === 0) return null
  const reason = reasonIn(running.message)
  return restarts >= restartsFor(reason) ? (reason ?? 'timeout') : null
}

function restartsFor(reason: ImportReason | null): number {
  if (reason === null) return patience.restarts.unknown
  return passing.includes(reason) ? patience.restarts.passing : patience.restarts.sure
}

const claimTroubles = ['ErrExceededQuota', 'ErrClaimNotValid', 'ErrUnableToCreatePVC']
const importerTroubles = [
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'CreateContainerError',
  'CreateContainerConfigError',
  'ImagePullFailed',
]

// The first that fits counts. Errors of the network come in sentences about processing too, when
// they happen in the middle.
const signs: readonly (readonly [ImportReason, RegExp])[] = [
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
 * What an importer's last words mean. URLs are cut out first: a tenant chose them, and words in
 * them mean nothing.
 */
function reasonIn(message: string): ImportReason | null {
  const words = message.replaceAll(/"[^"]*"|https?:\/\/\S+/g, '')
  return signs.find(([, sign]) => sign.test(words))?.[0] ?? null
}
