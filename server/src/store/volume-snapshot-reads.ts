import { type Kysely, sql } from 'kysely'
import { type Page, type PageRequest } from '../domain/page.ts'
import { type VolumeSnapshotState } from '../domain/volume-snapshot/state.ts'
import { type VolumeSnapshotView } from '../domain/volume-snapshot/volume-snapshot.ts'
import { isId } from '../runtime/ids.ts'
import { idOrNobody } from './id-or-nobody.ts'
import { type Direction, type SortKey, readPage } from './page.ts'
import { type Reader, one, only } from './reader.ts'
import { type Filterable, contains, countAll, searchPattern, whereIf } from './search.ts'
import { slot, statement } from './statement.ts'
import { type Tables } from './tables.ts'

export interface VolumeSnapshotQuery {
  search?: string | null
  states?: readonly VolumeSnapshotState[] | null
  volumeId?: string | null
  sort: 'name' | 'createdAt'
  direction: Direction
}

export class VolumeSnapshotReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  find(id: string): Promise<VolumeSnapshotView | null> {
    if (!isId(id)) return Promise.resolve(null)
    return one(
      this.#reader,
      statement('volumeSnapshot.find', (db) => views(db).where('id', '=', slot<string>('id'))),
      { id },
    )
  }

  list(page: PageRequest, query: VolumeSnapshotQuery): Promise<Page<VolumeSnapshotView>> {
    return readPage(this.#reader, page, {
      shape: `volumeSnapshot.list ${shapeOf(query)} ${query.sort}`,
      keys: sortKeys[query.sort],
      direction: query.direction,
      args: argsOf(query),
      tenantColumn: 'tenant_id',
      rows: (db) => matching(views(db), query),
    })
  }

  async count(query: VolumeSnapshotQuery): Promise<number> {
    const counted = statement(`volumeSnapshot.count ${shapeOf(query)}`, (db) =>
      matching(db.selectFrom('volume_snapshot').where('gone_at', 'is', null), query).select(countAll),
    )
    return (await only(this.#reader, counted, argsOf(query))).total
  }
}

const id: SortKey<VolumeSnapshotView> = { sql: sql.ref('id'), type: 'uuid', of: (row) => row.id }
const name: SortKey<VolumeSnapshotView> = { sql: sql.ref('name'), type: 'text', of: (row) => row.name }
const createdAt: SortKey<VolumeSnapshotView> = { sql: sql.ref('created_at'), type: 'timestamptz', of: (row) => row.createdAt }

const sortKeys: Record<VolumeSnapshotQuery['sort'], readonly SortKey<VolumeSnapshotView>[]> = {
  name: [name, id],
  createdAt: [createdAt, id],
}

/** The columns of a view, also for what an insert gives back. */
export const shownOfVolumeSnapshot = [
  ...(['id', 'name', 'state', 'explanation', 'version', 'tenant_id as tenantId', 'size_gi as sizeGi'] as const),
  ...(['volume_id as volumeId', 'volume_name as volumeName', 'storage_class as storageClass', 'state_since as stateSince'] as const),
  'schedule_id as scheduleId',
  sql<string>`(select namespace from tenant where id = volume_snapshot.tenant_id)`.as('namespace'),
  sql<boolean>`delete_requested_at is not null`.as('deleting'),
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const views = (db: Kysely<Tables>) => db.selectFrom('volume_snapshot').select(shownOfVolumeSnapshot).where('gone_at', 'is', null)

function matching<Query extends Filterable<Query>>(query: Query, { search, states, volumeId }: VolumeSnapshotQuery): Query {
  const searched = whereIf(Boolean(search), query, contains('name', 'volume_name'))
  const inStates = whereIf(Boolean(states), searched, sql<boolean>`state = any(${slot<string[]>('states')}::text[])`)
  return whereIf(Boolean(volumeId), inStates, sql<boolean>`volume_id = ${slot('volumeId')}`)
}

const shapeOf = ({ search, states, volumeId }: VolumeSnapshotQuery): string =>
  `${search ? 's' : ''}${states ? 't' : ''}${volumeId ? 'v' : ''}`

const argsOf = ({ search, states, volumeId }: VolumeSnapshotQuery): Record<string, unknown> => ({
  search: searchPattern(search),
  states,
  volumeId: idOrNobody(volumeId),
})
