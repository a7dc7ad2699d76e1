import { type Compilable, type Kysely, type RawBuilder, sql } from 'kysely'
import { type Reader } from './reader.ts'
import { slot, statement } from './statement.ts'
import { type Tables } from '../../model/registry.ts'

const beforeAll = '00000000-0000-0000-0000-000000000000'
const pageSize = 1_000

export interface KeyPage<Key> {
  keys: Key[]
  after: string | null
}

/** Reads the work keys of a table, all of them or for some ids. */
export interface KeyReads<Key> {
  /** Returns one page of the keys that may need a reconcile, in the order of their ids. */
  page(reader: Reader, after: string | null): Promise<KeyPage<Key>>
  /** Returns the keys of the ids that have a row, even a deleted one. */
  of(reader: Reader, ids: readonly string[]): Promise<Key[]>
}

/** A query that can be filtered, ordered and limited without losing its row type. */
interface Keyed<Row> extends Compilable<Row> {
  where(condition: RawBuilder<boolean>): Keyed<Row>
  orderBy(by: RawBuilder<unknown>): Keyed<Row>
  limit(max: number): Keyed<Row>
}

interface KeyTable<Row, Key> {
  /** The name or alias of the table in the query. */
  table: string
  rows: (db: Kysely<Tables>) => Keyed<Row>
  keyOf: (row: Row) => Key
  /** The condition for rows that may need a reconcile; by default the rows that are not deleted. */
  live?: RawBuilder<boolean>
}

/** Builds the queries that read the work keys of one table. */
export function createKeyReads<Row extends { id: string }, Key>(
  kind: string,
  { table, rows, keyOf, live }: KeyTable<Row, Key>,
): KeyReads<Key> {
  const id = sql.ref(`${table}.id`)
  const isLive = live ?? sql<boolean>`${sql.ref(`${table}.gone_at`)} is null`
  return {
    async page(reader, after) {
      const page = statement(`${kind}.keys`, (db) =>
        rows(db)
          .where(isLive)
          .where(sql<boolean>`${id} > ${slot('after')}`)
          .orderBy(id)
          .limit(pageSize),
      )
      const found = await reader.all(page, { after: after ?? beforeAll })
      return {
        keys: found.map(keyOf),
        after: found.length < pageSize ? null : (found.at(-1)?.id ?? null),
      }
    },
    async of(reader, ids) {
      const known = statement(`${kind}.keysOf`, (db) =>
        rows(db).where(sql<boolean>`${id} = any(${slot('ids')})`),
      )
      return (await reader.all(known, { ids })).map(keyOf)
    },
  }
}

/** Returns a function that builds a key with the further columns of the row. */
export const keyNamed =
  (kind: string) =>
  <Row extends { id: string }>({ id, ...row }: Row) => ({ kind, objectId: id, ...row })
