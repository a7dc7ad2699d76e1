import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { type Page, type PageRequest } from '../../model/page.ts'
import { isId } from '../../../runtime/ids.ts'
import { idOrNobody } from './id-or-nobody.ts'
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

/**
 * Of the fields that were selected the others may not be read; null where it is not known which
 * those are.
 */
export type Selected = ReadonlySet<string> | null

/** A condition that some queries set; it binds to the slot that is called like its field. */
interface Narrowing {
  where: RawBuilder<boolean>
  bound: (value: unknown) => unknown
}

/** What tells one kind of things from another that are found by their names. */
export interface Named<Table extends keyof Tables, View> {
  /** Begins the names of its statements. */
  stem: string
  /** Where each row says whose it is; null where some are nobody's. */
  tenantColumn: string | null
  /** The groups of columns that are read for such fields, where not all are always read. */
  groupsFor?: (selected: Selected) => readonly string[]
  rows: (
    db: Kysely<Tables>,
    groups: readonly string[],
    where: { ofOneTenant: boolean },
  ) => SelectQueryBuilder<Tables, Table, View>
  counted: (db: Kysely<Tables>) => SelectQueryBuilder<Tables, Table, { total: number }>
  /** What a search means; binds to the slot `search`. */
  found: RawBuilder<boolean>
  narrowedBy?: Readonly<Record<string, Narrowing>>
}

export const byStates = (state: RawBuilder<unknown> = sql.ref('state')): Narrowing => ({
  where: sql<boolean>`${state} = any(${slot<string[]>('states')}::text[])`,
  bound: (states) => states,
})

export const byText = (of: RawBuilder<unknown>, field: string): Narrowing => ({
  where: sql<boolean>`${of} = ${slot(field)}`,
  bound: (text) => text,
})

/** What a caller names and what is no id at all is nobody's. */
export const byId = (column: string, field: string): Narrowing => ({
  where: sql<boolean>`${sql.ref(column)} = ${slot(field)}`,
  bound: (id) => idOrNobody(typeof id === 'string' ? id : null),
})

const namedByStem = new Map<string, object>()

/** What has a name, an age and mostly a tenant, and stays as a row when it is gone. */
export class NamedReads<Table extends keyof Tables, View extends Row, Query extends NamedQuery> {
  protected readonly reader: Reader
  readonly #named: Named<Table, View>

  constructor(reader: Reader, named: Named<Table, View>) {
    // Statements are kept by stem: with one stem, the second kind would run the SQL of the first.
    const known = namedByStem.get(named.stem)
    if (known && known !== named) throw new TypeError(`two kinds have the stem ${named.stem}`)
    namedByStem.set(named.stem, named)
    this.reader = reader
    this.#named = named
  }

  /** What is gone is not found. */
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
      shape: `${stem}.list ${this.#narrowingsOf(query).join('+')} ${query.sort} ${groups.join('+')}`,
      keys: sortKeys[query.sort],
      direction: query.direction,
      args: this.#argsOf(query),
      tenantColumn,
      rows: (db) => this.#matching(present(rows(db, groups, { ofOneTenant })), query),
    })
  }

  async count(query: Query): Promise<number> {
    const { stem, tenantColumn, counted } = this.#named
    const { tenantId: ownTenant } = this.reader
    const own = ownTenant === null ? null : tenantColumn
    const counting = statement(
      `${stem}.count ${this.#narrowingsOf(query).join('+')} ${own !== null}`,
      (db) => ofOwnTenant(this.#matching(present(counted(db)), query), own),
    )
    return (await only(this.reader, counting, { ...this.#argsOf(query), ownTenant })).total
  }

  #matching<Some extends Filterable<Some>>(rows: Some, query: Query): Some {
    const { found, narrowedBy = {} } = this.#named
    return this.#narrowingsOf(query).reduce(
      (some, field) => some.where(narrowedBy[field]?.where ?? found),
      rows,
    )
  }

  /** The fields of a query that leave something out. */
  #narrowingsOf(query: Query): string[] {
    const asked = new Map<string, unknown>(Object.entries(query))
    return ['search', ...Object.keys(this.#named.narrowedBy ?? {})].filter((field) =>
      Boolean(asked.get(field)),
    )
  }

  #argsOf(query: Query): Record<string, unknown> {
    const asked = new Map<string, unknown>(Object.entries(query))
    const narrowings = Object.entries(this.#named.narrowedBy ?? {})
    const narrowed = narrowings.map(([field, { bound }]): [string, unknown] => [
      field,
      bound(asked.get(field)),
    ])
    return { ...Object.fromEntries(narrowed), search: searchPattern(query.search) }
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

// Names need not be unique.
const sortKeys: Record<NamedQuery['sort'], readonly SortKey<Row>[]> = {
  name: [name, id],
  createdAt: [createdAt, id],
}
