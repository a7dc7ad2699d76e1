import { type AliasedRawBuilder, sql } from 'kysely'
import { slot } from '../../engine/database/sql/statement.ts'

/** Selects the namespace of the tenant that owns a row of this table. */
export const namespaceOf = (table: string): AliasedRawBuilder<string, 'namespace'> =>
  sql<string>`(select namespace from tenant where id = ${sql.ref(`${table}.tenant_id`)})`.as(
    'namespace',
  )

/** Selects the namespace of the reader's own tenant, once for all rows. */
export const ownNamespace =
  sql<string>`(select namespace from tenant where id = ${slot('ownTenant')})`.as('namespace')
