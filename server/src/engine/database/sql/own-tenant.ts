import { sql } from 'kysely'
import { type Filterable } from './search.ts'
import { slot } from './statement.ts'

/**
 * Adds the tenant predicate to a tenant query. Row level security also admits the platform, so
 * PostgreSQL cannot use an index for it alone.
 */
export const ofOwnTenant = <Query extends Filterable<Query>>(
  query: Query,
  column: string | null,
): Query =>
  column === null ? query : query.where(sql<boolean>`${sql.ref(column)} = ${slot('ownTenant')}`)
