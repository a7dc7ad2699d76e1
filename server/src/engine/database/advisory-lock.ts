import { type Kysely, sql } from 'kysely'
import { type Reader } from './sql/reader.ts'
import { slot, statement } from './sql/statement.ts'
import { type Tables } from '../model/registry.ts'

/**
 * Takes an advisory lock until the unit ends. The next unit waits for the lock and then sees the
 * rows that this unit committed. The number identifies the lock in the whole installation.
 */
export async function takeAdvisoryLock(reader: Reader, lock: number): Promise<void> {
  await reader.all(statement('turn', locking), { lock })
}

const locking = (db: Kysely<Tables>) =>
  db.selectNoFrom(sql<string>`pg_advisory_xact_lock(${slot('lock')}::bigint)::text`.as('locked'))
