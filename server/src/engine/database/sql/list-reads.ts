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

export interface ListQuery {
  search?: string | null
  sort?: string
  direction?: Direction
}

/** The query of a list whose rows have a name and an age. */
export interface NamedQuery extends ListQuery {
  /** Only rows that were created after this time. */
  createdAfter?: string | null
  sort: 'name' | 'createdAt'
  direction: Direction
}

/** The selected fields; unselected fields must not be read. Null when the selection is unknown. */
export type Selected = ReadonlySet<string> | null

/** A filter that some queries set. It binds to the slot with the name of its field. */
interface Filter {
  where: RawBuilder<boolean>
  /** Tells whether the value filters; by default every value that is not empty. */
  applies?: (value: unknown) => boolean
  bound?: (value: unknown) => unknown
}

type Rows<Table extends keyof Tables, View> = SelectQueryBuilder<Tables, Table, View>

/** Describes the rows of one noun, which are found by id and listed. */
export interface ListedNoun<Table extends keyof Tables, View, Query> {
  /** The prefix of its statement names. */
  stem: string
  /** The column of the owning tenant; null when some rows belong to no tenant. */
  tenantColumn: string | null
  /** The column of the id, when several tables of the query have one. */
  idColumn?: string
  /**
   * Returns the column groups that these fields need, for nouns that do not always read all
   * columns.
   */
  groupsFor?: (selected: Selected) => readonly string[]
  rows: (
    db: Kysely<Tables>,
    groups: readonly string[],
    where: { ofOneTenant: boolean },
  ) => Rows<Table, View>
  counted: (db: Kysely<Tables>) => SelectQueryBuilder<Tables, Table, { total: number }>
  /** True when deleted rows stay in the table. They are not returned. */
  keepsGone?: boolean
  /** The condition of a search; binds to the slot `search`. */
  found?: RawBuilder<boolean>
  narrowedBy?: Readonly<Record<string, Filter>>
  /** Returns the sort keys. The last one is unique. */
  sortedBy: (query: Query) => readonly SortKey<View>[]
  /** The order of a list without a direction; ascending by default. */
  direction?: Direction
}

export const byStates = (state: RawBuilder<unknown> = sql.ref('state')): Filter => ({
  where: sql<boolean>`${state} = any(${slot<string[]>('states')}::text[])`,
})

export const byText = (of: RawBuilder<unknown>, field: string): Filter => ({
  where: sql<boolean>`${of} = ${slot(field)}`,
})

export const byCreation: Readonly<Record<'createdAfter', Filter>> = {
  createdAfter: { where: sql<boolean>`created_at > cast(${slot('createdAfter')} as timestamptz)` },
}

/** Filters by an id from a request. A text that is not an id matches no row. */
export const byId = (column: string, field: string): Filter => ({
  where: sql<boolean>`${sql.ref(column)} = ${slot(field)}`,
  bound: (id) => idOrNoRow(typeof id === 'string' ? id : null),
})

interface NewestRows {
  table: string
  /** The column with the id of the object that owns the row. */
  owner: string
  /** The column with the time of the row. */
  time: string
  /** Rows that count. */
  where?: RawBuilder<unknown>
}

/**
 * The condition that a row is one of the newest of its owner. It binds to the slots `owners` and
 * `first`. PostgreSQL scans an index once for each owner and stops after `first` rows.
 */
export const isNewestOf = ({ table, owner, time, where }: NewestRows): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${table}.id`)} in (
    select newest.id from unnest(${slot('owners')}::uuid[]) as owner (id) cross join lateral (
      select each.id from ${sql.table(table)} as each
       where ${sql.ref(`each.${owner}`)} = owner.id and ${where ?? sql`true`}
       order by ${sql.ref(`each.${time}`)} desc, each.id desc limit ${slot('first')}) as newest)`

const stems = new Set<string>()

/** Returns the base class of the reads of one noun. */
export function listReads<
  Table extends keyof Tables,
  View extends { id: string },
  Query extends object,
>(noun: ListedNoun<Table, View, Query>): new (reader: Reader) => ListReads<Table, View, Query> {
  // Statements are cached by stem. Two nouns with one stem would run each other's SQL.
  if (stems.has(noun.stem)) throw new TypeError(`two nouns have the stem ${noun.stem}`)
  stems.add(noun.stem)
  return class extends ListReads<Table, View, Query> {
    constructor(reader: Reader) {
      super(reader, noun)
    }
  }
}

class ListReads<Table extends keyof Tables, View, Query extends object> {
  protected readonly reader: Reader
  readonly #noun: ListedNoun<Table, View, Query>

  constructor(reader: Reader, noun: ListedNoun<Table, View, Query>) {
    this.reader = reader
    this.#noun = noun
  }

  /** Finds a row by id. Deleted rows are not found. */
  async find(id: string, selected: Selected = null): Promise<View | null> {
    if (!isId(id)) return null
    const { stem, groupsFor, rows, idColumn = 'id' } = this.#noun
    const groups = groupsFor?.(selected) ?? []
    const found = statement(`${stem}.find ${groups.join('+')}`, (db) =>
      this.#present(rows(db, groups, { ofOneTenant: false })).where(
        sql<boolean>`${sql.ref(idColumn)} = ${slot('id')}`,
      ),
    )
    return await one(this.reader, found, { id })
  }

  /** Finds the rows with these ids, in any order. Deleted rows are not found. */
  findAll(ids: readonly string[]): Promise<View[]> {
    const { idColumn = 'id' } = this.#noun
    const hasId = sql<boolean>`${sql.ref(idColumn)} = any(${slot('ids')}::uuid[])`
    return this.allWhere('findAll', { ids }, (all) => all.where(hasId))
  }

  /** Reads all fields of the present rows that the conditions select. `name` stands for them. */
  protected allWhere(
    name: string,
    args: Readonly<Record<string, unknown>>,
    narrowed: (rows: Rows<Table, View>) => Rows<Table, View>,
  ): Promise<View[]> {
    const { stem, groupsFor, rows } = this.#noun
    const groups = groupsFor?.(null) ?? []
    const found = statement(`${stem}.${name}`, (db) =>
      narrowed(this.#present(rows(db, groups, { ofOneTenant: false }))),
    )
    return this.reader.all(found, args)
  }

  list(
    page: PageRequest,
    query: Query & ListQuery,
    selected: Selected = null,
  ): Promise<Page<View>> {
    const { stem, tenantColumn, groupsFor, rows, sortedBy, direction = 'asc' } = this.#noun
    const groups = groupsFor?.(selected) ?? []
    const ofOneTenant = this.reader.tenantId !== null && tenantColumn !== null
    return readPage<Table, View>(this.reader, page, {
      shape: `${stem}.list ${this.#filtersOf(query).join('+')} ${query.sort ?? ''} ${groups.join('+')}`,
      keys: sortedBy(query),
      direction: query.direction ?? direction,
      args: this.#argsOf(query),
      tenantColumn,
      rows: (db) => this.#filtered(this.#present(rows(db, groups, { ofOneTenant })), query),
    })
  }

  async count(query: Query & ListQuery): Promise<number> {
    const { stem, tenantColumn, counted } = this.#noun
    const { tenantId: ownTenant } = this.reader
    const tenantFilter = ownTenant === null ? null : tenantColumn
    const counting = statement(
      `${stem}.count ${this.#filtersOf(query).join('+')} ${tenantFilter !== null}`,
      (db) => ofOwnTenant(this.#filtered(this.#present(counted(db)), query), tenantFilter),
    )
    return (await only(this.reader, counting, { ...this.#argsOf(query), ownTenant })).total
  }

  #present<Some extends Filterable<Some>>(rows: Some): Some {
    return this.#noun.keepsGone ? rows.where(sql<boolean>`gone_at is null`) : rows
  }

  #filtered<Some extends Filterable<Some>>(rows: Some, query: Query): Some {
    return this.#filtersOf(query).reduce((filtered, field) => {
      const condition =
        field === 'search' ? this.#noun.found : this.#noun.narrowedBy?.[field]?.where
      return condition ? filtered.where(condition) : filtered
    }, rows)
  }

  /** Lists the query fields that filter rows. */
  #filtersOf(query: Query): string[] {
    const fields = new Map<string, unknown>(Object.entries(query))
    const filters = Object.entries({ search: {}, ...this.#noun.narrowedBy })
    return filters.flatMap(([field, { applies = Boolean }]: [string, Partial<Filter>]) =>
      applies(fields.get(field)) ? [field] : [],
    )
  }

  #argsOf(query: Query & ListQuery): Record<string, unknown> {
    const fields = new Map<string, unknown>(Object.entries(query))
    const filters = Object.entries(this.#noun.narrowedBy ?? {})
    const args = filters.map(([field, { bound }]): [string, unknown] => [
      field,
      bound ? bound(fields.get(field)) : fields.get(field),
    ])
    return { ...Object.fromEntries(args), search: searchPattern(query.search) }
  }
}

export const idKey: SortKey<{ id: string }> = {
  sql: sql.ref('id'),
  type: 'uuid',
  of: (row) => row.id,
}
export const nameKey: SortKey<{ name: string }> = {
  sql: sql.ref('name'),
  type: 'text',
  of: (row) => row.name,
}
const createdAtKey: SortKey<{ createdAt: string }> = {
  sql: sql.ref('created_at'),
  type: 'timestamptz',
  of: (row) => row.createdAt,
}

// Names need not be unique, so the id is the last sort key.
const sortKeys = { name: [nameKey, idKey], createdAt: [createdAtKey, idKey] } as const

/** Sorts rows by their name or age. */
export const byNameOrAge = ({
  sort,
}: Pick<NamedQuery, 'sort'>): readonly SortKey<{ id: string; name: string; createdAt: string }>[] =>
  sortKeys[sort]
