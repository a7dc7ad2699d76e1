import { sql } from 'kysely'
import { type Reader, one } from './reader.ts'
import { slot, statement } from './statement.ts'
import { type Tables } from '../../model/registry.ts'

interface NameInTenant {
  tenantId: string
  name: string
}

/** Returns the id of the tenant's row with the name; null when there is none. */
export async function idOfNamed(
  reader: Reader,
  table: keyof Tables,
  key: NameInTenant,
): Promise<string | null> {
  const named = statement(`${table}.named`, (db) =>
    db
      .selectFrom(sql<{ id: string }>`${sql.table(table)}`.as('named'))
      .select('id')
      .where(hasName),
  )
  return (await one(reader, named, { ...key }))?.id ?? null
}

const hasName = sql<boolean>`tenant_id = ${slot('tenantId')} and name = ${slot('name')} and gone_at is null`

/** A name that is taken. `transient` while its object is being deleted. */
export interface TakenName {
  transient: boolean
}

/** Selects whether the object is being deleted. */
export const isLeaving = sql<boolean>`delete_requested_at is not null`.as('transient')

/** Returns the use of a name by the tenant's rows, or null when the name is free. */
export function takenName(
  reader: Reader,
  table: keyof Tables,
  key: NameInTenant,
): Promise<TakenName | null> {
  const named = statement(`${table}.takenName`, (db) =>
    db
      .selectFrom(sql<object>`${sql.table(table)}`.as('named'))
      .select(isLeaving)
      .where(hasName),
  )
  return one(reader, named, { ...key })
}
