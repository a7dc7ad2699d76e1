import { type Kysely, sql } from 'kysely'
import { type Page, type PageRequest } from '../domain/page.ts'
import { type SnapshotScheduleState, type SnapshotScheduleView } from '../domain/snapshot-schedule/snapshot-schedule.ts'
import { isId } from '../runtime/ids.ts'
import { idOrNobody } from './id-or-nobody.ts'
import { type Direction, type SortKey, readPage } from './page.ts'
import { type Reader, one, only } from './reader.ts'
import { type Filterable, contains, countAll, searchPattern, whereIf } from './search.ts'
import { slot, statement } from './statement.ts'
import { type Tables } from './tables.ts'

export interface SnapshotScheduleQuery {
  search?: string | null
  states?: readonly SnapshotScheduleState[] | null
  target?: 'volume' | 'vm' | null
  volumeId?: string | null
  vmId?: string | null
  sort: 'name' | 'createdAt'
  direction: Direction
}

/** A schedule that ends with what it is of. */
export interface DoomedSchedule {
  targetId: string
  name: string
}

export class SnapshotScheduleReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  find(id: string): Promise<SnapshotScheduleView | null> {
    if (!isId(id)) return Promise.resolve(null)
    return one(
      this.#reader,
      statement('snapshotSchedule.find', (db) => views(db).where('id', '=', slot<string>('id'))),
      { id },
    )
  }

  list(page: PageRequest, query: SnapshotScheduleQuery): Promise<Page<SnapshotScheduleView>> {
    return readPage(this.#reader, page, {
      shape: `snapshotSchedule.list ${shapeOf(query)} ${query.sort}`,
      keys: sortKeys[query.sort],
      direction: query.direction,
      args: argsOf(query),
      tenantColumn: 'tenant_id',
      rows: (db) => matching(views(db), query),
    })
  }

  async count(query: SnapshotScheduleQuery): Promise<number> {
    const counted = statement(`snapshotSchedule.count ${shapeOf(query)}`, (db) => matching(present(db), query).select(countAll))
    return (await only(this.#reader, counted, argsOf(query))).total
  }

  /** Of these volumes and machines. */
  of(targetIds: readonly string[]): Promise<DoomedSchedule[]> {
    const found = statement('snapshotSchedule.of', (db) =>
      present(db)
        .select(['name', sql<string>`coalesce(vm_id, volume_id)`.as('targetId')])
        .where(sql<boolean>`(vm_id = any(${slot('targetIds')}) or volume_id = any(${slot('targetIds')}))`)
        .orderBy('name'),
    )
    return this.#reader.all(found, { targetIds })
  }
}

const id: SortKey<SnapshotScheduleView> = { sql: sql.ref('id'), type: 'uuid', of: (row) => row.id }
const name: SortKey<SnapshotScheduleView> = { sql: sql.ref('name'), type: 'text', of: (row) => row.name }
const createdAt: SortKey<SnapshotScheduleView> = { sql: sql.ref('created_at'), type: 'timestamptz', of: (row) => row.createdAt }

const sortKeys: Record<SnapshotScheduleQuery['sort'], readonly SortKey<SnapshotScheduleView>[]> = {
  name: [name, id],
  createdAt: [createdAt, id],
}

export const stateOfSchedule = sql<SnapshotScheduleState>`(case when paused_at is not null then 'paused'
  when stopped_at > resumed_at then 'stopped' else 'active' end)`

const targetName = sql<string>`coalesce((select vm.name from vm where vm.id = snapshot_schedule.vm_id),
  (select volume.name from volume where volume.id = snapshot_schedule.volume_id))`

const present = (db: Kysely<Tables>) => db.selectFrom('snapshot_schedule').where('gone_at', 'is', null)

const views = (db: Kysely<Tables>) =>
  present(db).select([
    ...(['id', 'name', 'cron', 'keep', 'version', 'tenant_id as tenantId', 'volume_id as volumeId', 'vm_id as vmId'] as const),
    targetName.as('targetName'),
    ...(['time_zone as timeZone', 'accept_missing as acceptMissing', 'owner_id as ownerId', 'owner_name as ownerName'] as const),
    stateOfSchedule.as('state'),
    sql<string>`greatest(timed_at, resumed_at, counted_until)`.as('timedFrom'),
    ...(['last_due_at as lastDueAt', 'last_run_at as lastRunAt', 'last_snapshot_id as lastSnapshotId'] as const),
    ...(['failures_in_row as failuresInRow', 'last_failure as lastFailure'] as const),
    'created_at as createdAt',
    'updated_at as updatedAt',
  ])

function matching<Query extends Filterable<Query>>(query: Query, { search, states, target, volumeId, vmId }: SnapshotScheduleQuery): Query {
  const isFound = sql<boolean>`(${contains('name')} or ${targetName} ilike ${slot('search')})`
  const searched = whereIf(Boolean(search), query, isFound)
  const inStates = whereIf(Boolean(states), searched, sql<boolean>`${stateOfSchedule} = any(${slot<string[]>('states')}::text[])`)
  const ofKind = whereIf(Boolean(target), inStates, sql<boolean>`${sql.ref(`${target ?? 'vm'}_id`)} is not null`)
  const ofVolume = whereIf(Boolean(volumeId), ofKind, sql<boolean>`volume_id = ${slot('volumeId')}`)
  return whereIf(Boolean(vmId), ofVolume, sql<boolean>`vm_id = ${slot('vmId')}`)
}

const shapeOf = ({ search, states, target, volumeId, vmId }: SnapshotScheduleQuery): string =>
  `${search ? 's' : ''}${states ? 't' : ''}${target ?? ''}.${volumeId ? 'v' : ''}${vmId ? 'm' : ''}`

const argsOf = ({ search, states, volumeId, vmId }: SnapshotScheduleQuery): Record<string, unknown> => ({
  search: searchPattern(search),
  states,
  volumeId: idOrNobody(volumeId),
  vmId: idOrNobody(vmId),
})
