import {
  type Compilable,
  type InsertQueryBuilder,
  type InsertResult,
  type Insertable,
} from 'kysely'
import { type Tables } from '../../model/registry.ts'
import { columnsFrom } from './columns-from.ts'
import { type Reader, only } from './reader.ts'
import { statement } from './statement.ts'

export type PropertyOf<Column> = Column extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<PropertyOf<Rest>>}`
  : Column

/**
 * The values of a new row by the properties of its entity. Properties with a default are optional.
 */
export type NewRow<Table extends keyof Tables> = {
  [Column in keyof Insertable<Tables[Table]> as PropertyOf<Column>]: ReadonlyValue<
    Insertable<Tables[Table]>[Column]
  >
}
type ReadonlyValue<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value

/** Inserts one row. Each set of properties has its own prepared statement. */
export function insertInto<Table extends keyof Tables, Row>(
  table: Table,
  returning: (query: InsertQueryBuilder<Tables, Table, InsertResult>) => Compilable<Row>,
): (reader: Reader, values: NewRow<Table>) => Promise<Row> {
  const source = returning.toString()
  return (reader, values) => {
    const shape = `${table}.insert ${Object.keys(values).join(' ')}`
    const insert = statement(
      shape,
      // `NewRow` has the columns of the table under the names of their properties.
      (db) => returning(db.insertInto(table).values(columnsFrom(values) as never)),
      source,
    )
    return only(reader, insert, { ...values })
  }
}
