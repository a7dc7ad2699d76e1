import { type Kysely, sql } from 'kysely'
import { type NicRow } from '../domain/nic/nic.ts'
import { nicsFrom } from '../domain/nic/nics-from.ts'
import { type Page, type PageRequest } from '../domain/page.ts'
import { type SeenAddress } from '../domain/vm/seen.ts'
import { type VmState } from '../domain/vm/state.ts'
import { type VmView } from '../domain/vm/vm.ts'
import { isId } from '../runtime/ids.ts'
import { type Direction, type SortKey, readPage } from './page.ts'
import { type Reader, one, only } from './reader.ts'
import { ofOwnTenant } from './own-tenant.ts'
import { type Filterable, contains, countAll, searchPattern, whereIf } from './search.ts'
import { type Selected } from './named-reads.ts'
import { slot, statement } from './statement.ts'
import { type Tables } from './tables.ts'
import { vmColumns } from './vm-columns.ts'

export interface VmQuery {
  search?: string | null
  states?: readonly VmState[] | null
  sort: 'name' | 'createdAt'
  direction: Direction
}

export class VmReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  get #tenantColumn(): string | null {
    return this.#reader.tenantId === null ? null : 'vm.tenant_id'
  }

  /** Fields that are not among the selected ones may not be read, and so not be there; nor in what follows. */
  async find(id: string, selected: Selected = null): Promise<VmView | null> {
    if (!isId(id)) return null
    const rarer = vmColumns.groupsFor(selected)
    const found = statement(`vm.find ${rarer.join('+')}`, (db) =>
      views(db, vmColumns.columns(rarer, apart)).where('id', '=', slot<string>('id')),
    )
    return viewOf(await one(this.#reader, found, { id }), rarer)
  }

  async findByName(name: string, selected: Selected = null): Promise<VmView | null> {
    const rarer = vmColumns.groupsFor(selected)
    const { tenantId: ownTenant } = this.#reader
    const column = this.#tenantColumn
    const named = statement(`vm.findByName ${column !== null} ${rarer.join('+')}`, (db) =>
      ofOwnTenant(views(db, vmColumns.columns(rarer, apart)).where('name', '=', slot<string>('name')), column),
    )
    return viewOf(await one(this.#reader, named, { name, ownTenant }), rarer)
  }

  async namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const named = statement('vm.namesOf', (db) =>
      db
        .selectFrom('vm')
        .select(['id', 'name'])
        .where(sql<boolean>`id = any(${slot('ids')}::uuid[])`),
    )
    return new Map((await this.#reader.all(named, { ids })).map((vm) => [vm.id, vm.name]))
  }

  async list(page: PageRequest, query: VmQuery, selected: Selected = null): Promise<Page<VmView>> {
    const rarer = vmColumns.groupsFor(selected)
    const ofOneTenant = this.#tenantColumn !== null
    const read = await readPage(this.#reader, page, {
      shape: `vm.list ${shapeOf(query)} ${query.sort} ${rarer.join('+')}`,
      keys: sortKeys[query.sort],
      direction: query.direction,
      args: argsOf(query),
      tenantColumn: 'vm.tenant_id',
      rows: (db) => matching(views(db, vmColumns.columns(rarer, { ofOneTenant })), query),
    })
    return { ...read, nodes: read.nodes.map((row) => viewOf(row, rarer)) }
  }

  async count(query: VmQuery): Promise<number> {
    const { tenantId: ownTenant } = this.#reader
    const column = this.#tenantColumn
    const counted = statement(`vm.count ${shapeOf(query)} ${column !== null}`, (db) =>
      ofOwnTenant(matching(db.selectFrom('vm').where('gone_at', 'is', null), query), column).select(countAll),
    )
    return (await only(this.#reader, counted, { ...argsOf(query), ownTenant })).total
  }
}

type Row = Omit<VmView, 'nics'> & { nics: NicRow[]; seenNics: SeenAddress[] | null }

/** Of machines that are each looked for alone, a place is no more than one lookup anyway. */
const apart = { ofOneTenant: false }

function viewOf<Some extends Row | null>(row: Some, rarer: readonly string[]): VmView | Extract<Some, null>
function viewOf(row: Row | null, rarer: readonly string[]): VmView | null {
  // Where NICs were not read, a row is a view but for them.
  if (!row || !rarer.includes('nics')) return row as Omit<Row, 'nics'> | null
  // Rows are the reader's own, and a copy of each would cost as much as reading it.
  return Object.assign<Row, Pick<VmView, 'nics'>>(row, { nics: nicsFrom(row.nics, row.seenNics ?? []) })
}

const id: SortKey<Row> = { sql: sql.ref('id'), type: 'uuid', of: (row) => row.id }
const name: SortKey<Row> = { sql: sql.ref('name'), type: 'text', of: (row) => row.name }
const createdAt: SortKey<Row> = { sql: sql.ref('created_at'), type: 'timestamptz', of: (row) => row.createdAt }

const sortKeys: Record<VmQuery['sort'], readonly SortKey<Row>[]> = { name: [name, id], createdAt: [createdAt, id] }

const views = (db: Kysely<Tables>, columns: ReturnType<typeof vmColumns.columns>) =>
  db.selectFrom('vm').select(columns).where('gone_at', 'is', null)

function matching<Query extends Filterable<Query>>(query: Query, { search, states }: VmQuery): Query {
  const searched = whereIf(Boolean(search), query, contains('name', 'display_name', 'ip'))
  return whereIf(Boolean(states), searched, sql<boolean>`state = any(${slot<string[]>('states')}::text[])`)
}

const shapeOf = ({ search, states }: VmQuery): string => `${search ? 's' : ''}${states ? 't' : ''}`

const argsOf = ({ search, states }: VmQuery): Record<string, unknown> => ({ search: searchPattern(search), states })
