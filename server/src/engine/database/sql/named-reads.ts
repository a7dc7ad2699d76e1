import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { type Page, type PageRequest } from '../../model/page.ts'
import { isId } from '../../../runtime/ids.ts'
import { idOrNoRow } from './id-or-no-row.ts'
import { ofOwnTenant } from './own-tenant.ts'
import { type Direction, type SortKey, readPage } from './page.ts'
import { type Reader, one, only } from './reader.ts'
import { type Filterable, searchPattern } from './search.ts'
import { slot, statement } from './statement.ts'
import { type Tables } from '../../model/registry.ts'

export interface NamedQuery {
  search?: string | null
  sort: 'name' | 'createdAt'
  direction: Direction
}

/** The selected fields; unselected fields must not be read. Null when the selection is unknown. */
export type Selected = ReadonlySet<string> | null

/** A filter that some queries set. It binds to the slot with the name of its field. */
interface Filter {
  where: RawBuilder<boolean>
  bound: (value: unknown) => unknown
}

/** Describes one noun whose rows are found by name. */
export interface NamedNoun<Table extends keyof Tables, View> {
  /** The prefix of its statement names. */
  stem: string
  /** The column of the owning tenant; null when some rows belong to no tenant. */
  tenantColumn: string | null
  /**
   * Returns the column groups that these fields need, for nouns that do not always read all
   * columns.
   */
  groupsFor?: (selected: Selected) => readonly string[]
  rows: (
    db: Kysely<Tables>,
    groups: readonly string[],
    where: { ofOneTenant: boolean },
  ) => SelectQueryBuilder<Tables, Table, View>
  counted: (db: Kysely<Tables>) => SelectQueryBuilder<Tables, Table, { total: number }>
  /** The condition of a search; binds to the slot `search`. */
  found: RawBuilder<boolean>
  narrowedBy?: Readonly<Record<string, Filter>>
}

export const byStates = (state: RawBuilder<unknown> = sql.ref('state')): Filter => ({
  where: sql<boolean>`${state} = any(${slot<string[]>('states')}::text[])`,
  bound: (states) => states,
})

export const byText = (of: RawBuilder<unknown>, field: string): Filter => ({
  where: sql<boolean>`${of} = ${slot(field)}`,
  bound: (text) => text,
})

/** Filters by an id from a request. A text that is not an id matches no row. */
export const byId = (column: string, field: string): Filter => ({
  where: sql<boolean>`${sql.ref(column)} = ${slot(field)}`,
  bound: (id) => idOrNoRow(typeof id === 'string' ? id : null),
})

const namedByStem = new Map<string, object>()

/**
 * Reads rows that have a name, an age and usually a tenant. Deleted rows stay in the table and are
 * not returned.
 */
export class NamedReads<Table extends keyof Tables, View extends Row, Query extends NamedQuery> {
  protected readonly reader: Reader
  readonly #named: NamedNoun<Table, View>

  constructor(reader: Reader, named: NamedNoun<Table, View>) {
    // Statements are cached by stem. Two nouns with one stem would run each other's SQL.
    const registered = namedByStem.get(named.stem)
    if (registered && registered !== named)
      throw new TypeError(`two nouns have the stem ${named.stem}`)
    namedByStem.set(named.stem, named)
    this.reader = reader
    this.#named = named
  }

  /** Finds a row by id. Deleted rows are not found. */
  async find(id: string, selected: Selected = null): Promise<View | null> {
    if (!isId(id)) return null
    const { stem, groupsFor, rows } = this.#named
    const groups = groupsFor?.(selected) ?? []
    const found = statement(`${stem}.find ${groups.join('+')}`, (db) =>
      present(rows(db, groups, { ofOneTenant: false })).where(sql<boolean>`id = ${slot('id')}`),
    )
    return await one(this.reader, found, { id })
  }

  list(page: PageRequest, query: Query, selected: Selected = null): Promise<Page<View>> {
    const { stem, tenantColumn, groupsFor, rows } = this.#named
    const groups = groupsFor?.(selected) ?? []
    const ofOneTenant = this.reader.tenantId !== null && tenantColumn !== null
    return readPage<Table, View>(this.reader, page, {
      shape: `${stem}.list ${this.#filtersOf(query).join('+')} ${query.sort} ${groups.join('+')}`,
      keys: sortKeys[query.sort],
      direction: query.direction,
      args: this.#argsOf(query),
      tenantColumn,
      rows: (db) => this.#filtered(present(rows(db, groups, { ofOneTenant })), query),
    })
  }

  async count(query: Query): Promise<number> {
    const { stem, tenantColumn, counted } = this.#named
    const { tenantId: ownTenant } = this.reader
    const tenantFilter = ownTenant === null ? null : tenantColumn
    const counting = statement(
      `${stem}.count ${this.#filtersOf(query).join('+')} ${tenantFilter !== null}`,
      (db) => ofOwnTenant(this.#filtered(present(counted(db)), query), tenantFilter),
    )
    return (await only(this.reader, counting, { ...this.#argsOf(query), ownTenant })).total
  }

  #filtered<Some extends Filterable<Some>>(rows: Some, query: Query): Some {
    const { found, narrowedBy = {} } = this.#named
    return this.#filtersOf(query).reduce(
      (filtered, field) => filtered.where(narrowedBy[field]?.where ?? found),
      rows,
    )
  }

  /** Lists the query fields that filter rows. */
  #filtersOf(query: Query): string[] {
    const fields = new Map<string, unknown>(Object.entries(query))
    return ['search', ...Object.keys(this.#named.narrowedBy ?? {})].filter((field) =>
      Boolean(fields.get(field)),
    )
  }

  #argsOf(query: Query): Record<string, unknown> {
    const fields = new Map<string, unknown>(Object.entries(query))
    const filters = Object.entries(this.#named.narrowedBy ?? {})
    const bound = filters.map(([field, { bound }]): [string, unknown] => [
      field,
      bound(fields.get(field)),
    ])
    return { ...Object.fromEntries(bound), search: searchPattern(query.search) }
  }
}

const present = <Some extends Filterable<Some>>(rows: Some): Some =>
  rows.where(sql<boolean>`gone_at is null`)

interface Row {
  id: string
  name: string
  createdAt: string
}

const id: SortKey<Row> = { sql: sql.ref('id'), type: 'uuid', of: (row) => row.id }
const name: SortKey<Row> = { sql: sql.ref('name'), type: 'text', of: (row) => row.name }
const createdAt: SortKey<Row> = {
  sql: sql.ref('created_at'),
  type: 'timestamptz',
  of: (row) => row.createdAt,
}

// Names need not be unique, so the id is the last sort key.
const sortKeys: Record<NamedQuery['sort'], readonly SortKey<Row>[]> = {
  name: [name, id],
  createdAt: [createdAt, id],
}
