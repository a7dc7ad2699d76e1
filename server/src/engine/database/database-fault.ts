import pg from 'pg'
import { Fault, type FaultCode } from '../model/fault.ts'

/** The whole transaction may simply be run again: deadlock, serialization failure, lock timeout. */
const repeatable = new Set(['40P01', '40001', '55P03'])

/** The database cannot serve now; it is not the caller's fault and may pass. */
const busy = new Set([
  '57014',
  '53300',
  '53100',
  '53200',
  '25006',
  '57P01',
  '57P02',
  '57P03',
  '25P03',
])

/**
 * Uniqueness that a race may hit after the use case has checked; the words are those of the check.
 */
const uniqueSentences: Readonly<Record<string, string>> = {
  tenant_slug_key: 'A tenant with this slug exists already; choose another slug.',
  tenant_namespace_key: 'A tenant with this slug exists already; choose another slug.',
  role_name_key: 'A role with this name exists already; choose another name.',
  user_username_key: 'A user with this name exists already; choose another name.',
  user_oidc_key: 'This identity is linked to another user already.',
  nic_mac_key: 'A NIC got an address that another one has already; ask again.',
  nic_address_key: 'Another VM has taken this address since a moment; ask again.',
  nic_network_key: 'The VM is in this network already.',
  snapshot_schedule_name_key: 'A schedule with this name exists already; choose another name.',
  ssh_key_name_key: 'An SSH key with this name exists already; choose another name.',
  ssh_key_fingerprint_key: 'This key is registered already; use that one.',
  security_group_name_key: 'A security group with this name exists already; choose another name.',
  vm_name_key: 'A VM with this name exists already; choose another name.',
  vm_snapshot_name_key: 'A VM snapshot with this name exists already; choose another name.',
  service_offering_name_key:
    'A service offering with this name exists already; choose another name.',
  vm_template_name_key: 'A template with this name exists already; choose another name.',
  volume_snapshot_name_key: 'A snapshot with this name exists already; choose another name.',
  volume_name_key: 'A volume with this name exists already; choose another name.',
  vpc_name_key: 'A VPC with this name exists already; choose another name.',
  network_name_key: 'A network of this VPC has this name already; choose another name.',
}

/** Blocks of addresses that a race may have taken after the use case has checked. */
const overlapSentences: Readonly<Record<string, string>> = {
  vpc_cidr_overlap:
    'Another VPC of the tenant has some of these addresses since a moment; choose another block.',
  network_cidr_overlap:
    'Another network of the VPC has some of these addresses since a moment; choose another block.',
}

export function isRepeatable(error: unknown): boolean {
  return error instanceof Error && repeatable.has(sqlState(error) ?? '')
}

/**
 * Words for what the database refused; anything that is not a refusal we know comes back as it was.
 */
export function faultFromDatabase(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Fault) return error
  const state = sqlState(error)
  const refused = refusals[state ?? '']?.(constraintOf(error))
  if (refused) return new Fault(refused.code, refused.sentence, { cause: error })
  if (isRepeatable(error) || (state && busy.has(state)) || isConnectionLoss(error))
    return unavailable(error)
  return error
}

interface Refusal {
  code: FaultCode
  sentence: string
}

/** Everything else that JSON can carry is kept. */
const unkeepable: Refusal = {
  code: 'invalid_input',
  sentence: 'A text must not have the character U+0000 in it.',
}

/** By SQL state, of the constraint that was hit. */
const refusals: Readonly<Record<string, (constraint: string) => Refusal | null>> = {
  '23505': (constraint) => ({
    code: 'already_exists',
    sentence: uniqueSentences[constraint] ?? 'This exists already.',
  }),
  '23503': () => ({
    code: 'in_use',
    sentence: 'Something else still refers to this; remove that first.',
  }),
  // A statement whose text has the value in it ends there, too early.
  '08P01': () => unkeepable,
  '22021': () => unkeepable,
  '22P05': () => unkeepable,
  '23P01': (constraint) => {
    const sentence = overlapSentences[constraint]
    return sentence === undefined ? null : { code: 'cidr_overlap', sentence }
  },
}

function unavailable(cause: Error): Fault {
  return new Fault('overloaded', 'The database cannot answer right now; try again shortly.', {
    retryAfterSeconds: 2,
    cause,
  })
}

/**
 * The answer to COMMIT never came: it may or may not have happened, and a retry with the same key
 * finds out.
 */
export function commitUnknown(cause: unknown): Fault {
  const sentence =
    'The connection to the database was lost while saving; repeat the request with the same Idempotency-Key to learn the result.'
  return new Fault('overloaded', sentence, { retryAfterSeconds: 1, cause })
}

export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof pg.DatabaseError) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    /^(ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH)/.test(code) ||
    /connection|timeout exceeded|not queryable/i.test(error.message)
  )
}

function sqlState(error: Error): string | undefined {
  const own = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return own ?? (error.cause instanceof Error ? sqlState(error.cause) : undefined)
}

function constraintOf(error: Error): string {
  const own = 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : ''
  return own || (error.cause instanceof Error ? constraintOf(error.cause) : '')
}
