import { sql } from 'kysely'
import { type Reader, one } from './reader.ts'
import { slot, statement } from './statement.ts'
import { type Tables } from '../../model/registry.ts'

interface NameInTenant {
  tenantId: string
  name: string
}

type NamedTable = keyof Tables

/** True when the tenant has an existing row with the name. */
export const isNamed = async (
  reader: Reader,
  table: NamedTable,
  key: NameInTenant,
): Promise<boolean> => (await idOfNamed(reader, table, key)) !== null

/** Returns the id of the tenant's row with the name; null when there is none. */
export async function idOfNamed(
  reader: Reader,
  table: NamedTable,
  key: NameInTenant,
): Promise<string | null> {
  const named = statement(`${table}.named`, (db) =>
    db
      .selectFrom(sql<{ id: string }>`${sql.table(table)}`.as('named'))
      .select('id')
      .where(
        sql<boolean>`tenant_id = ${slot('tenantId')} and name = ${slot('name')} and gone_at is null`,
      ),
  )
  return (await one(reader, named, { ...key }))?.id ?? null
}
