import { type Kysely, sql } from 'kysely'
import { type Reader } from './reader.ts'
import { slot, statement } from './statement.ts'
import { type Tables } from './tables.ts'

/** What is done by one unit at a time in the whole installation. */
const turns = { tags: 0x7461_6773, firstVpcs: 0x7670_6373 } as const

/** Whoever comes next waits until this unit has ended, and then sees what it left. */
export async function takeTurn(reader: Reader, what: keyof typeof turns): Promise<void> {
  await reader.all(statement('turn', locking), { lock: turns[what] })
}

const locking = (db: Kysely<Tables>) =>
  db.selectNoFrom(sql<string>`pg_advisory_xact_lock(${slot('lock')}::bigint)::text`.as('locked'))
