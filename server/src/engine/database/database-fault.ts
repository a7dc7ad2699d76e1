import pg from 'pg'
import { Fault, type FaultCode } from '../model/fault.ts'
import { type Message, messageOf } from '../model/message.ts'
import { outdatedBuild } from './schema-version.ts'

/** The transaction can be repeated as a whole: deadlock, serialization failure, lock timeout. */
const repeatable = new Set(['40P01', '40001', '55P03'])

const diskFull = '53100'

const troubles: Readonly<Record<string, string>> = {
  [diskFull]: 'the disk of the database is full',
  '25006': 'the database is read-only',
  [outdatedBuild]: 'this build is too old for the database; start a newer one',
}

/** The database is temporarily unable to serve. The caller is not at fault. */
const busy = new Set([
  ...Object.keys(troubles),
  '57014',
  '53300',
  '53200',
  '57P01',
  '57P02',
  '57P03',
  '25P03',
])

/**
 * The messages for constraints that a race may violate after the use case has checked them, by
 * constraint name. Each equals the message of the check.
 */
export type ConstraintSentences = Readonly<Record<string, Message>>

export function isRepeatable(error: unknown): boolean {
  return error instanceof Error && repeatable.has(sqlState(error) ?? '')
}

/** Converts a known database error to a fault. Returns any other error unchanged. */
export function faultFromDatabase(error: unknown, sentences: ConstraintSentences): unknown {
  if (!(error instanceof Error) || error instanceof Fault) return error
  const state = sqlState(error)
  const refused = refusals[state ?? '']?.(sentences[constraintOf(error)])
  if (refused) return new Fault(refused.code, refused.sentence, { cause: error })
  if (isRepeatable(error) || (state && busy.has(state)) || isConnectionLoss(error))
    return unavailable(error)
  return error
}

interface Refusal {
  code: FaultCode
  sentence: Message
}

/** The request contains a NUL character. PostgreSQL stores all other characters of JSON. */
const nulCharacter: Refusal = {
  code: 'invalid_input',
  sentence: messageOf('request.nul_character'),
}

/** Maps an SQL state to a refusal. The argument is the message of the violated constraint. */
const refusals: Readonly<Record<string, (sentence: Message | undefined) => Refusal | null>> = {
  '23505': (sentence = messageOf('request.exists')) => ({ code: 'already_exists', sentence }),
  '23503': () => ({
    code: 'in_use',
    sentence: messageOf('request.still_referred'),
  }),
  // A NUL in a value that is part of the statement text ends the statement too early.
  '08P01': () => nulCharacter,
  '22021': () => nulCharacter,
  '22P05': () => nulCharacter,
  '23P01': (sentence) => (sentence ? { code: 'cidr_overlap', sentence } : null),
}

export const isDiskFull = (error: unknown): error is Error =>
  error instanceof Error && sqlState(error) === diskFull

/** Says why the database refused a write, for the operator. */
export const databaseTrouble = (error: unknown): string =>
  (error instanceof Error && troubles[sqlState(error) ?? '']) || 'the database does not answer'

function unavailable(cause: Error): Fault {
  return new Fault('overloaded', messageOf('request.database_busy'), {
    retryAfterSeconds: 2,
    cause,
  })
}

/**
 * The connection was lost before COMMIT was confirmed, so the result is unknown. A retry with the
 * same idempotency key finds out.
 */
export function commitUnknown(cause: unknown): Fault {
  const sentence = messageOf('request.commit_unknown')
  return new Fault('overloaded', sentence, { retryAfterSeconds: 1, cause })
}

export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof pg.DatabaseError) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    /^(ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH)/.test(code) ||
    /connection|timeout exceeded|read timeout|not queryable/i.test(error.message)
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
