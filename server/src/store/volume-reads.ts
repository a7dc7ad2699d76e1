import { type Kysely, sql } from 'kysely'
import { type Page, type PageRequest } from '../domain/page.ts'
import { type VolumeState } from '../domain/volume/state.ts'
import { type VolumeView } from '../domain/volume/volume.ts'
import { isId } from '../runtime/ids.ts'
import { idOrNobody } from './id-or-nobody.ts'
import { type Direction, type SortKey, readPage } from './page.ts'
import { type Reader, one, only } from './reader.ts'
import { type Filterable, contains, countAll, searchPattern, whereIf } from './search.ts'
import { slot, statement } from './statement.ts'
import { type Tables } from './tables.ts'

export interface VolumeQuery {
  search?: string | null
  states?: readonly VolumeState[] | null
  vmId?: string | null
  sort: 'name' | 'createdAt'
  direction: Direction
}

export class VolumeReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  find(id: string): Promise<VolumeView | null> {
    if (!isId(id)) return Promise.resolve(null)
    return one(
      this.#reader,
      statement('volume.find', (db) => views(db).where('id', '=', slot<string>('id'))),
      { id },
    )
  }

  list(page: PageRequest, query: VolumeQuery): Promise<Page<VolumeView>> {
    return readPage(this.#reader, page, {
      shape: `volume.list ${shapeOf(query)} ${query.sort}`,
      keys: sortKeys[query.sort],
      direction: query.direction,
      args: argsOf(query),
      tenantColumn: 'tenant_id',
      rows: (db) => matching(views(db), query),
    })
  }

  async count(query: VolumeQuery): Promise<number> {
    const counted = statement(`volume.count ${shapeOf(query)}`, (db) =>
      matching(db.selectFrom('volume').where('gone_at', 'is', null), query).select(countAll),
    )
    return (await only(this.#reader, counted, argsOf(query))).total
  }

  /** What is to be in any of these machines, in the order in which it was made. */
  attachedTo(vmIds: readonly string[]): Promise<VolumeView[]> {
    const attached = statement('volume.attachedTo', (db) =>
      views(db)
        .where(sql<boolean>`vm_id = any(${slot('vmIds')})`)
        .orderBy('created_at')
        .orderBy('id'),
    )
    return this.#reader.all(attached, { vmIds })
  }

  /** What a machine has not let go of. */
  heldBy(vmId: string): Promise<VolumeView[]> {
    const held = statement('volume.heldBy', (db) => views(db).where('held_by', '=', slot<string>('vmId')))
    return this.#reader.all(held, { vmId })
  }
}

const id: SortKey<VolumeView> = { sql: sql.ref('id'), type: 'uuid', of: (row) => row.id }
const name: SortKey<VolumeView> = { sql: sql.ref('name'), type: 'text', of: (row) => row.name }
const createdAt: SortKey<VolumeView> = { sql: sql.ref('created_at'), type: 'timestamptz', of: (row) => row.createdAt }

const sortKeys: Record<VolumeQuery['sort'], readonly SortKey<VolumeView>[]> = { name: [name, id], createdAt: [createdAt, id] }

/** The columns of a view, also for what an insert gives back. */
export const shownOfVolume = [
  ...(['id', 'name', 'state', 'explanation', 'bound', 'version', 'tenant_id as tenantId', 'size_gi as sizeGi'] as const),
  ...(['storage_class as storageClass', 'state_since as stateSince', 'vm_id as vmId', 'held_by as heldBy'] as const),
  'snapshot_id as snapshotId',
  sql<string>`(select namespace from tenant where id = volume.tenant_id)`.as('namespace'),
  sql<boolean>`delete_requested_at is not null`.as('deleting'),
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const views = (db: Kysely<Tables>) => db.selectFrom('volume').select(shownOfVolume).where('gone_at', 'is', null)

function matching<Query extends Filterable<Query>>(query: Query, { search, states, vmId }: VolumeQuery): Query {
  const searched = whereIf(Boolean(search), query, contains('name'))
  const inStates = whereIf(Boolean(states), searched, sql<boolean>`state = any(${slot<string[]>('states')}::text[])`)
  return whereIf(Boolean(vmId), inStates, sql<boolean>`vm_id = ${slot('vmId')}`)
}

const shapeOf = ({ search, states, vmId }: VolumeQuery): string => `${search ? 's' : ''}${states ? 't' : ''}${vmId ? 'v' : ''}`

const argsOf = ({ search, states, vmId }: VolumeQuery): Record<string, unknown> => ({
  search: searchPattern(search),
  states,
  vmId: idOrNobody(vmId),
})
