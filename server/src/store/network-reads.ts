import { type Kysely, sql } from 'kysely'
import { type Page, type PageRequest } from '../domain/page.ts'
import { type NetworkView } from '../domain/network/network.ts'
import { isId } from '../runtime/ids.ts'
import { type Direction, type SortKey, readPage } from './page.ts'
import { type Reader, one, only } from './reader.ts'
import { type Filterable, contains, countAll, searchPattern, whereIf } from './search.ts'
import { slot, statement } from './statement.ts'
import { type Tables } from './tables.ts'
import { type NamedCidr } from './vpc-reads.ts'

export interface NetworkQuery {
  search?: string | null
  vpcId?: string | null
  sort: 'name' | 'createdAt'
  direction: Direction
}

export class NetworkReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  find(id: string): Promise<NetworkView | null> {
    if (!isId(id)) return Promise.resolve(null)
    return one(
      this.#reader,
      statement('network.find', (db) => views(db).where('id', '=', slot<string>('id'))),
      { id },
    )
  }

  findAll(ids: readonly string[]): Promise<NetworkView[]> {
    const found = statement('network.findAll', (db) => views(db).where(sql<boolean>`id = any(${slot('ids')}::uuid[])`))
    return this.#reader.all(found, { ids })
  }

  async list(page: PageRequest, query: NetworkQuery): Promise<Page<NetworkView>> {
    return readPage(this.#reader, page, {
      tenantColumn: 'network.tenant_id',
      shape: `network.list ${shapeOf(query)} ${query.sort}`,
      keys: sortKeys[query.sort],
      direction: query.direction,
      args: argsOf(query),
      rows: (db) => matching(views(db), query),
    })
  }

  async count(query: NetworkQuery): Promise<number> {
    const counted = statement(`network.count ${shapeOf(query)}`, (db) =>
      matching(db.selectFrom('network').where('gone_at', 'is', null), query).select(countAll),
    )
    return (await only(this.#reader, counted, argsOf(query))).total
  }

  /** The addresses of a VPC's networks, those on their way out included, in their order. */
  cidrsOf(vpcId: string): Promise<NamedCidr[]> {
    const taken = statement('network.cidrs', (db) =>
      db
        .selectFrom('network')
        .select(['name', 'cidr'])
        .where('vpc_id', '=', slot<string>('vpcId'))
        .where('gone_at', 'is', null)
        .orderBy('cidr'),
    )
    return this.#reader.all(taken, { vpcId })
  }
}

const id: SortKey<NetworkView> = { sql: sql.ref('id'), type: 'uuid', of: (row) => row.id }
const name: SortKey<NetworkView> = { sql: sql.ref('name'), type: 'text', of: (row) => row.name }
const createdAt: SortKey<NetworkView> = { sql: sql.ref('created_at'), type: 'timestamptz', of: (row) => row.createdAt }

// Each VPC has a network of the same name.
const sortKeys: Record<NetworkQuery['sort'], readonly SortKey<NetworkView>[]> = { name: [name, id], createdAt: [createdAt, id] }

/** The columns of a view, also for what an insert gives back. */
export const shownOfNetwork = [
  ...(['id', 'name', 'cidr', 'gateway', 'driver', 'mtu', 'version', 'tenant_id as tenantId', 'vpc_id as vpcId'] as const),
  ...(['attachment_namespace as attachmentNamespace', 'attachment_name as attachmentName', 'is_default as isDefault'] as const),
  sql<NetworkView['state']>`case when delete_requested_at is null then state else 'deleting' end`.as('state'),
  ...(['state_reason as stateReason', 'created_at as createdAt', 'updated_at as updatedAt'] as const),
] as const

const views = (db: Kysely<Tables>) => db.selectFrom('network').select(shownOfNetwork).where('gone_at', 'is', null)

function matching<Query extends Filterable<Query>>(query: Query, { search, vpcId }: NetworkQuery): Query {
  const searched = whereIf(Boolean(search), query, sql<boolean>`(${contains('name')} or text(cidr) ilike ${slot('search')})`)
  return whereIf(Boolean(vpcId), searched, sql<boolean>`vpc_id::text = ${slot('vpcId')}`)
}

const shapeOf = ({ search, vpcId }: NetworkQuery): string => `${search ? 's' : ''}${vpcId ? 'v' : ''}`

const argsOf = ({ search, vpcId }: NetworkQuery): Record<string, unknown> => ({ search: searchPattern(search), vpcId })
