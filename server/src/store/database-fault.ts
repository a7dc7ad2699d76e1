import pg from 'pg'
import { Fault } from '../domain/fault.ts'

/** The whole transaction may simply be run again: deadlock, serialization failure, lock timeout. */
const repeatable = new Set(['40P01', '40001', '55P03'])

/** The database cannot serve now; it is not the caller's fault and may pass. */
const busy = new Set(['57014', '53300', '53100', '53200', '25006', '57P01', '57P02', '57P03', '25P03'])

/** Uniqueness that a race may hit after the use case has checked; the words are those of the check. */
const uniqueSentences: Readonly<Record<string, string>> = {
  tenant_slug_key: 'A tenant with this slug exists already; choose another slug.',
  tenant_namespace_key: 'A tenant with this slug exists already; choose another slug.',
  role_name_key: 'A role with this name exists already; choose another name.',
  user_username_key: 'A user with this name exists already; choose another name.',
  user_oidc_key: 'This identity is linked to another user already.',
  ssh_key_name_key: 'An SSH key with this name exists already; choose another name.',
  ssh_key_fingerprint_key: 'This key is registered already; use that one.',
  vm_name_key: 'A VM with this name exists already; choose another name.',
  service_offering_name_key: 'A service offering with this name exists already; choose another name.',
  vm_template_name_key: 'A template with this name exists already; choose another name.',
}

export function isRepeatable(error: unknown): boolean {
  return error instanceof Error && repeatable.has(sqlState(error) ?? '')
}

/** Words for what the database refused; anything that is not a refusal we know comes back as it was. */
export function faultFromDatabase(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Fault) return error
  const state = sqlState(error)
  if (state === '23505')
    return new Fault('already_exists', uniqueSentences[constraintOf(error)] ?? 'This exists already.', { cause: error })
  if (state === '23503') return new Fault('in_use', 'Something else still refers to this; remove that first.', { cause: error })
  if (isRepeatable(error) || (state && busy.has(state)) || isConnectionLoss(error)) return unavailable(error)
  return error
}

function unavailable(cause: Error): Fault {
  return new Fault('overloaded', 'The database cannot answer right now; try again shortly.', { retryAfterSeconds: 2, cause })
}

/** The answer to COMMIT never came: it may or may not have happened, and a retry with the same key finds out. */
export function commitUnknown(cause: unknown): Fault {
  const sentence =
    'The connection to the database was lost while saving; repeat the request with the same Idempotency-Key to learn the result.'
  return new Fault('overloaded', sentence, { retryAfterSeconds: 1, cause })
}

export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof pg.DatabaseError) return false
  const code = 'code' in error ? String(error.code) : ''
  return /^(ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH)/.test(code) || /connection|timeout exceeded|not queryable/i.test(error.message)
}

function sqlState(error: Error): string | undefined {
  const own = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return own ?? (error.cause instanceof Error ? sqlState(error.cause) : undefined)
}

function constraintOf(error: Error): string {
  const own = 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : ''
  return own || (error.cause instanceof Error ? constraintOf(error.cause) : '')
}
