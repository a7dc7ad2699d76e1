import { type RawBuilder, sql } from 'kysely'
import { byText } from '../../engine/database/sql/list-reads.ts'
import { type Direction } from '../../engine/database/sql/page.ts'
import { slot } from '../../engine/database/sql/statement.ts'

/** Selects API keys or logins by their owner. */
export interface CredentialQuery {
  /** Only those of this user; null for all in the scope. */
  userId: string | null
  /** Ids of tenants and users: those of all of them. */
  of?: readonly string[]
  direction?: Direction
}

/** The filters of a `CredentialQuery` on a table with the columns `tenant_id` and `user_id`. */
export const byOwner = (table: 'api_key' | 'session') => ({
  userId: byText(sql.ref(`${table}.user_id`), 'userId'),
  of: { where: ownedBy(table) },
})

const ownedBy = (table: string): RawBuilder<boolean> =>
  sql`array[${sql.ref(`${table}.tenant_id`)}, ${sql.ref(`${table}.user_id`)}] && ${slot<string[]>('of')}::uuid[]`
