import { type Kysely, sql } from 'kysely'
import { type Page, type PageRequest } from '../domain/page.ts'
import { type VpcView } from '../domain/vpc/vpc.ts'
import { isId } from '../runtime/ids.ts'
import { type Direction, type SortKey, readPage } from './page.ts'
import { type Reader, one, only } from './reader.ts'
import { type Filterable, contains, countAll, searchPattern, whereIf } from './search.ts'
import { slot, statement } from './statement.ts'
import { type Tables } from './tables.ts'

export interface VpcQuery {
  search?: string | null
  sort: 'name' | 'createdAt'
  direction: Direction
}

/** Addresses that something of a name has. */
export interface NamedCidr {
  name: string
  cidr: string
}

export class VpcReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  find(id: string): Promise<VpcView | null> {
    if (!isId(id)) return Promise.resolve(null)
    return one(
      this.#reader,
      statement('vpc.find', (db) => views(db).where('id', '=', slot<string>('id'))),
      { id },
    )
  }

  findByName(name: string): Promise<VpcView | null> {
    const named = statement('vpc.findByName', (db) => views(db).where(sql<boolean>`lower(name) = lower(${slot('name')})`))
    return one(this.#reader, named, { name })
  }

  list(page: PageRequest, query: VpcQuery): Promise<Page<VpcView>> {
    return readPage(this.#reader, page, {
      tenantColumn: 'vpc.tenant_id',
      shape: `vpc.list ${shapeOf(query)} ${query.sort}`,
      keys: sortKeys[query.sort],
      direction: query.direction,
      args: argsOf(query),
      rows: (db) => matching(views(db), query),
    })
  }

  async count(query: VpcQuery): Promise<number> {
    const counted = statement(`vpc.count ${shapeOf(query)}`, (db) =>
      matching(db.selectFrom('vpc').where('gone_at', 'is', null), query).select(countAll),
    )
    return (await only(this.#reader, counted, argsOf(query))).total
  }

  /** The addresses of a tenant's VPCs, those on their way out included, in their order. */
  cidrsOf(tenantId: string): Promise<NamedCidr[]> {
    const taken = statement('vpc.cidrs', (db) =>
      db
        .selectFrom('vpc')
        .select(['name', 'cidr'])
        .where('tenant_id', '=', slot<string>('tenantId'))
        .where('gone_at', 'is', null)
        .orderBy('cidr'),
    )
    return this.#reader.all(taken, { tenantId })
  }
}

const id: SortKey<VpcView> = { sql: sql.ref('id'), type: 'uuid', of: (row) => row.id }
const name: SortKey<VpcView> = { sql: sql.ref('name'), type: 'text', of: (row) => row.name }
const createdAt: SortKey<VpcView> = { sql: sql.ref('created_at'), type: 'timestamptz', of: (row) => row.createdAt }

const sortKeys: Record<VpcQuery['sort'], readonly SortKey<VpcView>[]> = { name: [name, id], createdAt: [createdAt, id] }

/** The columns of a view, also for what an insert gives back. */
export const shownOfVpc = [
  ...(['id', 'name', 'cidr', 'namespace', 'version', 'tenant_id as tenantId', 'is_default as isDefault'] as const),
  sql<VpcView['state']>`case when delete_requested_at is null then state else 'deleting' end`.as('state'),
  ...(['state_reason as stateReason', 'created_at as createdAt', 'updated_at as updatedAt'] as const),
] as const

const views = (db: Kysely<Tables>) => db.selectFrom('vpc').select(shownOfVpc).where('gone_at', 'is', null)

const matching = <Query extends Filterable<Query>>(query: Query, { search }: VpcQuery): Query =>
  whereIf(Boolean(search), query, sql<boolean>`(${contains('name')} or text(cidr) ilike ${slot('search')})`)

const shapeOf = ({ search }: VpcQuery): string => (search ? 's' : '')

const argsOf = ({ search }: VpcQuery): Record<string, unknown> => ({ search: searchPattern(search) })
