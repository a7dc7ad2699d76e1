import { type Kysely, sql } from 'kysely'
import { type Page, type PageRequest } from '../domain/page.ts'
import { type VmSnapshotView } from '../domain/vm-snapshot/vm-snapshot.ts'
import { type VolumeSnapshotState } from '../domain/volume-snapshot/state.ts'
import { isId } from '../runtime/ids.ts'
import { idOrNobody } from './id-or-nobody.ts'
import { type Direction, type SortKey, readPage } from './page.ts'
import { type Reader, one, only } from './reader.ts'
import { type Filterable, contains, countAll, searchPattern, whereIf } from './search.ts'
import { slot, statement } from './statement.ts'
import { type Tables } from './tables.ts'

export interface VmSnapshotQuery {
  search?: string | null
  states?: readonly VolumeSnapshotState[] | null
  vmId?: string | null
  sort: 'name' | 'createdAt'
  direction: Direction
}

export class VmSnapshotReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  find(id: string): Promise<VmSnapshotView | null> {
    if (!isId(id)) return Promise.resolve(null)
    return one(
      this.#reader,
      statement('vmSnapshot.find', (db) => views(db).where('id', '=', slot<string>('id'))),
      { id },
    )
  }

  list(page: PageRequest, query: VmSnapshotQuery): Promise<Page<VmSnapshotView>> {
    return readPage(this.#reader, page, {
      shape: `vmSnapshot.list ${shapeOf(query)} ${query.sort}`,
      keys: sortKeys[query.sort],
      direction: query.direction,
      args: argsOf(query),
      tenantColumn: 'tenant_id',
      rows: (db) => matching(views(db), query),
    })
  }

  async count(query: VmSnapshotQuery): Promise<number> {
    const counted = statement(`vmSnapshot.count ${shapeOf(query)}`, (db) =>
      matching(db.selectFrom('vm_snapshot').where('gone_at', 'is', null), query).select(countAll),
    )
    return (await only(this.#reader, counted, argsOf(query))).total
  }
}

const id: SortKey<VmSnapshotView> = { sql: sql.ref('id'), type: 'uuid', of: (row) => row.id }
const name: SortKey<VmSnapshotView> = { sql: sql.ref('name'), type: 'text', of: (row) => row.name }
const createdAt: SortKey<VmSnapshotView> = { sql: sql.ref('created_at'), type: 'timestamptz', of: (row) => row.createdAt }

const sortKeys: Record<VmSnapshotQuery['sort'], readonly SortKey<VmSnapshotView>[]> = {
  name: [name, id],
  createdAt: [createdAt, id],
}

/** The columns of a view, also for what an insert gives back. */
export const shownOfVmSnapshot = [
  ...(['id', 'name', 'origin', 'state', 'explanation', 'disks', 'consistency', 'cpu', 'version', 'tenant_id as tenantId'] as const),
  ...([
    'vm_id as vmId',
    'vm_name as vmName',
    'schedule_id as scheduleId',
    'memory_mi as memoryMi',
    'state_since as stateSince',
    'taken_at as takenAt',
  ] as const),
  sql<string>`(select namespace from tenant where id = vm_snapshot.tenant_id)`.as('namespace'),
  sql<boolean>`delete_requested_at is not null`.as('deleting'),
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const views = (db: Kysely<Tables>) => db.selectFrom('vm_snapshot').select(shownOfVmSnapshot).where('gone_at', 'is', null)

function matching<Query extends Filterable<Query>>(query: Query, { search, states, vmId }: VmSnapshotQuery): Query {
  const searched = whereIf(Boolean(search), query, contains('name', 'vm_name'))
  const inStates = whereIf(Boolean(states), searched, sql<boolean>`state = any(${slot<string[]>('states')}::text[])`)
  return whereIf(Boolean(vmId), inStates, sql<boolean>`vm_id = ${slot('vmId')}`)
}

const shapeOf = ({ search, states, vmId }: VmSnapshotQuery): string => `${search ? 's' : ''}${states ? 't' : ''}${vmId ? 'v' : ''}`

const argsOf = ({ search, states, vmId }: VmSnapshotQuery): Record<string, unknown> => ({
  search: searchPattern(search),
  states,
  vmId: idOrNobody(vmId),
})
