import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { type Page, type PageRequest, decodeCursor, encodeCursor } from '../../model/page.ts'
import { type Reader } from './reader.ts'
import { type SortType, sortValueChecks } from './sort-value.ts'
import { ofOwnTenant } from './own-tenant.ts'
import { slot, statement } from './statement.ts'
import { type Tables } from '../../model/registry.ts'

export type Direction = 'asc' | 'desc'

/** One sort column: its SQL name, the type to compare with, and the value in a row. */
export interface SortKey<Row> {
  sql: RawBuilder<unknown>
  type: SortType
  of: (row: Row) => unknown
}

export interface Listing<Table extends keyof Tables, Row> {
  /** Names the query without order and paging, for the statement cache. */
  shape: string
  keys: readonly SortKey<Row>[]
  direction: Direction
  args: Readonly<Record<string, unknown>>
  /** The column of the owning tenant; null when some rows belong to no tenant. */
  tenantColumn: string | null
  /** Returns the query for all matching rows, without an order. */
  rows: (db: Kysely<Tables>) => SelectQueryBuilder<Tables, Table, Row>
}

/**
 * Reads one page by keyset, never by offset. It reads one row more than requested to know whether
 * there is a next page.
 */
export async function readPage<Table extends keyof Tables, Row>(
  reader: Reader,
  page: PageRequest,
  listing: Listing<Table, Row>,
): Promise<Page<Row>> {
  const { shape, keys, direction, args, tenantColumn, rows: matching } = listing
  const hasCursor = page.after !== null
  const ownColumn = reader.tenantId === null ? null : tenantColumn
  const list = statement(
    `${shape} ${direction} ${hasCursor} ${ownColumn !== null}`,
    (db) => paged(ofOwnTenant(matching(db), ownColumn), listing, hasCursor),
    matching.toString(),
  )
  const checks = keys.map(({ type }) => sortValueChecks[type])
  const after = page.after === null ? [] : decodeCursor(page.after, checks)
  const afterArgs = Object.fromEntries(after.map((value, index) => [`after${index}`, value]))
  const rows = await reader.all(list, {
    ...args,
    ...afterArgs,
    ownTenant: reader.tenantId,
    limit: page.first + 1,
  })
  const nodes = rows.length > page.first ? rows.slice(0, page.first) : rows
  const cursor = (index: number): string => {
    const row = nodes[index]
    return row === undefined ? '' : encodeCursor(keys.map((key) => key.of(row)))
  }
  return { nodes, cursor, hasNextPage: rows.length > page.first }
}

/** Orders and limits a query, and starts it after the cursor. */
function paged<Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { keys, direction }: Pick<Listing<Table, Row>, 'keys' | 'direction'>,
  hasCursor: boolean,
): SelectQueryBuilder<Tables, Table, Row> {
  const columns = sql.join(keys.map((key) => key.sql))
  const after = sql.join(
    keys.map((key, index) => sql`cast(${slot(`after${index}`)} as ${sql.raw(key.type)})`),
  )
  const compared =
    direction === 'asc'
      ? sql<boolean>`(${columns}) > (${after})`
      : sql<boolean>`(${columns}) < (${after})`
  const started = hasCursor ? query.where(compared) : query
  const ordered = keys.reduce((sorted, key) => sorted.orderBy(key.sql, direction), started)
  return ordered.limit(slot<number>('limit'))
}
