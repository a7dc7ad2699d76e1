import { type Message, messageOf, type Noun } from './message.ts'

/**
 * The closed list of refusals. Whatever else is thrown is a bug and reaches nobody as it is.
 * Statuses and remedies stand in edge/faults.ts; the compiler demands a row there for each code
 * here.
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
  'snapshots_not_supported',
  'superseded',
  'template_not_ready',
  'template_read_only',
  'tenant_deleting',
  'tenant_forbidden',
  'tenant_not_ready',
  'tenant_required',
  'timeout',
  'too_many_requests',
  'unauthenticated',
  'unsupported_media_type',
  'unsupported_version',
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
  cause?: unknown
}

/** A refusal: a stable code, and a message that names the thing and says what to do or wait for. */
export class Fault extends Error {
  readonly code: FaultCode
  /** What `message` says in English, as a key with parameters. */
  readonly said: Message
  readonly fields: readonly FaultField[]
  readonly retryAfterSeconds: number | undefined

  constructor(code: FaultCode, said: Message, details: FaultDetails = {}) {
    super(said.toString(), details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'Fault'
    this.code = code
    this.said = said
    this.fields = details.fields ?? []
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/** Absent and foreign are the same answer. */
export function notFound(noun: Noun, nameOrId: string): Fault {
  const params = { noun: messageOf(`noun.${noun}`), name: nameOrId }
  return new Fault('not_found', messageOf('request.not_found', params))
}
