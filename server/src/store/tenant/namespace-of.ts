import { type AliasedRawBuilder, sql } from 'kysely'
import { slot } from '../../engine/database/sql/statement.ts'

/** Where the cluster has what such a row tells of. */
export const placeOf = (table: string): AliasedRawBuilder<string, 'namespace'> =>
  sql<string>`(select namespace from tenant where id = ${sql.ref(`${table}.tenant_id`)})`.as(
    'namespace',
  )

/** All that one tenant has is in one place. */
export const ownPlace =
  sql<string>`(select namespace from tenant where id = ${slot('ownTenant')})`.as('namespace')
