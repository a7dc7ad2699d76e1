import { Fault, type FaultCode } from '../model/fault.ts'
import { type Message, messageOf } from '../model/message.ts'

/** The HTTP status of each fault code. A missing status does not compile. */
export const statusOf: Readonly<Record<FaultCode, number>> = {
  addresses_exhausted: 409,
  already_exists: 409,
  cancelled: 409,
  capacity: 503,
  cidr_exhausted: 409,
  cidr_overlap: 409,
  cluster_name_conflict: 409,
  cluster_unavailable: 503,
  conflict: 409,
  expansion_not_supported: 409,
  feature_disabled: 404,
  forbidden: 403,
  idempotency_conflict: 409,
  import_failed: 409,
  in_use: 409,
  internal: 500,
  invalid_credentials: 401,
  invalid_input: 400,
  method_not_allowed: 405,
  not_acceptable: 406,
  not_found: 404,
  overloaded: 503,
  payload_too_large: 413,
  platform_error: 500,
  query_refused: 400,
  quota_exceeded: 409,
  read_only: 403,
  second_factor_invalid: 401,
  second_factor_required: 401,
  snapshots_not_supported: 409,
  template_not_ready: 409,
  template_read_only: 403,
  tenant_deleting: 409,
  tenant_forbidden: 403,
  tenant_not_ready: 409,
  timeout: 504,
  too_many_requests: 429,
  unauthenticated: 401,
  unsupported_media_type: 415,
  version_conflict: 412,
  wrong_state: 409,
}

export const titleOf = (code: FaultCode): Message => messageOf(`fault.${code}.title`)

/** Returns the remedy: what a user can do about the fault. */
export const remedyOf = (code: FaultCode): Message => messageOf(`fault.${code}.remedy`)

/**
 * Converts a thrown value to a fault. A value that is not a fault is a bug, and the caller sees
 * only the request id.
 */
export function faultFrom(thrown: unknown): Fault {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; depth++) {
    if (error instanceof Fault) return error
    error = originalOf(error)
  }
  return new Fault('internal', messageOf('request.unexpected'), { cause: thrown })
}

/** GraphQL wraps the error of a resolver and keeps it as `originalError`. */
function originalOf(error: Error): unknown {
  return 'originalError' in error && error.originalError ? error.originalError : error.cause
}

export function refusal(code: FaultCode, userMessage: Message): Fault {
  return new Fault(code, userMessage)
}
