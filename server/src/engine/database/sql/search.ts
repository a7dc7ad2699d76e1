import { type RawBuilder, sql } from 'kysely'
import { slot } from './statement.ts'

/** Anything with a where clause; keeps the query's own type through the added condition. */
export interface Filterable<Query> {
  where(condition: RawBuilder<boolean>): Query
}

/** Adds the condition when it is wanted; the shape of a statement must say so too. */
export function whereIf<Query extends Filterable<Query>>(
  wanted: boolean,
  query: Query,
  condition: RawBuilder<boolean>,
): Query {
  return wanted ? query.where(condition) : query
}

/** Case-insensitive substring in any of the columns; binds to the slot `search`. */
export function contains(...columns: string[]): RawBuilder<boolean> {
  const tests = columns.map((column) => sql`${sql.ref(column)} ilike ${slot('search')}`)
  return sql<boolean>`(${sql.join(tests, sql` or `)})`
}

/** The pattern for `contains`, with the wildcards of the user's text taken literally. */
export function searchPattern(text: string | null | undefined): string | null {
  return text ? `%${text.replaceAll(/[\\%_]/g, '\\$&')}%` : null
}

export const countAll = sql<number>`count(*)::int`.as('total')
