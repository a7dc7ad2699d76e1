import { type Message, messageOf, type Noun } from './message.ts'

/**
 * The closed list of fault codes. Any other thrown error is a bug, and clients see only its request
 * id. `engine/http/faults.ts` has the HTTP status of each code; a missing status does not compile.
 */
export const faultCodes = [
  'addresses_exhausted',
  'already_exists',
  'cancelled',
  'capacity',
  'cidr_exhausted',
  'cidr_overlap',
  'cluster_name_conflict',
  'cluster_unavailable',
  'conflict',
  'expansion_not_supported',
  'feature_disabled',
  'forbidden',
  'idempotency_conflict',
  'import_failed',
  'in_use',
  'internal',
  'invalid_credentials',
  'invalid_input',
  'method_not_allowed',
  'not_acceptable',
  'not_found',
  'overloaded',
  'payload_too_large',
  'platform_error',
  'query_refused',
  'quota_exceeded',
  'read_only',
  'second_factor_invalid',
  'second_factor_required',
  'snapshots_not_supported',
  'template_not_ready',
  'template_read_only',
  'tenant_deleting',
  'tenant_forbidden',
  'tenant_not_ready',
  'timeout',
  'too_many_requests',
  'unauthenticated',
  'unsupported_media_type',
  'version_conflict',
  'wrong_state',
] as const

export type FaultCode = (typeof faultCodes)[number]

export interface FaultField {
  path: string
  message: Message
}

export interface FaultDetails {
  fields?: readonly FaultField[]
  retryAfterSeconds?: number
  /** True when the obstacle ends without another request, such as a VM that is being created. */
  transient?: boolean
  cause?: unknown
}

/** The details of a fault whose obstacle ends without another request. */
export const transient: FaultDetails = { transient: true }

/** A refusal with a stable code. Its message names the object and says what to do or wait for. */
export class Fault extends Error {
  readonly code: FaultCode
  /** The translatable form of `message`: a catalogue key with parameters. */
  readonly userMessage: Message
  readonly fields: readonly FaultField[]
  readonly retryAfterSeconds: number | undefined
  readonly isTransient: boolean

  constructor(code: FaultCode, userMessage: Message, details: FaultDetails = {}) {
    super(
      userMessage.toString(),
      details.cause === undefined ? undefined : { cause: details.cause },
    )
    this.name = 'Fault'
    this.code = code
    this.userMessage = userMessage
    this.fields = details.fields ?? []
    this.isTransient = details.transient ?? false
    this.retryAfterSeconds = details.retryAfterSeconds ?? (this.isTransient ? 1 : undefined)
  }
}

/** Returns the same fault for an object that is absent and for one of another tenant. */
export function notFound(noun: Noun, nameOrId: string): Fault {
  const params = { noun: messageOf(`noun.${noun}`), name: nameOrId }
  return new Fault('not_found', messageOf('request.not_found', params))
}
