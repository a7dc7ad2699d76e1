import { sql } from 'kysely'
import { type Filterable } from './search.ts'
import { slot } from './statement.ts'

/**
 * The wall lets no index be used, for it lets the platform through; where this is said as well, the
 * tenant is what is looked up.
 */
export const ofOwnTenant = <Query extends Filterable<Query>>(
  query: Query,
  column: string | null,
): Query =>
  column === null ? query : query.where(sql<boolean>`${sql.ref(column)} = ${slot('ownTenant')}`)
