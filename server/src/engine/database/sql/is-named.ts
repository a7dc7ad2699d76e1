import { sql } from 'kysely'
import { type Reader, one } from './reader.ts'
import { slot, statement } from './statement.ts'
import { type Tables } from '../../model/registry.ts'

interface NameInTenant {
  tenantId: string
  name: string
}

type NamedTable = keyof Tables

/** Whether the tenant has one of that name which is not gone. */
export const isNamed = async (
  reader: Reader,
  table: NamedTable,
  asked: NameInTenant,
): Promise<boolean> => (await idOfNamed(reader, table, asked)) !== null

/** Of the tenant's one of that name; null where there is none. */
export async function idOfNamed(
  reader: Reader,
  table: NamedTable,
  asked: NameInTenant,
): Promise<string | null> {
  const named = statement(`${table}.named`, (db) =>
    db
      .selectFrom(sql<{ id: string }>`${sql.table(table)}`.as('named'))
      .select('id')
      .where(
        sql<boolean>`tenant_id = ${slot('tenantId')} and name = ${slot('name')} and gone_at is null`,
      ),
  )
  return (await one(reader, named, { ...asked }))?.id ?? null
}
