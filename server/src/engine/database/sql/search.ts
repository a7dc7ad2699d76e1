import { type RawBuilder, sql } from 'kysely'
import { slot } from './statement.ts'

/** A query with a where clause. It keeps its own type when a condition is added. */
export interface Filterable<Query> {
  where(condition: RawBuilder<boolean>): Query
}

/** Matches a case-insensitive substring in any of the columns; binds to the slot `search`. */
export function contains(...columns: string[]): RawBuilder<boolean> {
  const tests = columns.map((column) => sql`${sql.ref(column)} ilike ${slot('search')}`)
  return sql<boolean>`(${sql.join(tests, sql` or `)})`
}

/** Returns the pattern for `contains`. Wildcards in the user's text match literally. */
export function searchPattern(text: string | null | undefined): string | null {
  return text ? `%${text.replaceAll(/[\\%_]/g, '\\$&')}%` : null
}

export const countAll = sql<number>`count(*)::int`.as('total')
