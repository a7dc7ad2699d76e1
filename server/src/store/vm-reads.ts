import { type Kysely, sql } from 'kysely'
import { type Page, type PageRequest } from '../domain/page.ts'
import { type VmState } from '../domain/vm/state.ts'
import { type VmView } from '../domain/vm/vm.ts'
import { isId } from '../runtime/ids.ts'
import { type Direction, type SortKey, readPage } from './page.ts'
import { type Reader, one, only } from './reader.ts'
import { type Filterable, contains, countAll, searchPattern, whereIf } from './search.ts'
import { slot, statement } from './statement.ts'
import { type Tables } from './tables.ts'

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

  find(id: string): Promise<VmView | null> {
    if (!isId(id)) return Promise.resolve(null)
    return one(
      this.#reader,
      statement('vm.find', (db) => views(db).where('id', '=', slot<string>('id'))),
      { id },
    )
  }

  findByName(name: string): Promise<VmView | null> {
    return one(
      this.#reader,
      statement('vm.findByName', (db) => views(db).where('name', '=', slot<string>('name'))),
      { name },
    )
  }

  list(page: PageRequest, query: VmQuery): Promise<Page<VmView>> {
    return readPage(this.#reader, page, {
      shape: `vm.list ${shapeOf(query)} ${query.sort}`,
      keys: sortKeys[query.sort],
      direction: query.direction,
      args: argsOf(query),
      rows: (db) => matching(views(db), query),
    })
  }

  async count(query: VmQuery): Promise<number> {
    const counted = statement(`vm.count ${shapeOf(query)}`, (db) =>
      matching(db.selectFrom('vm').where('gone_at', 'is', null), query).select(countAll),
    )
    return (await only(this.#reader, counted, argsOf(query))).total
  }
}

const id: SortKey<VmView> = { sql: sql.ref('id'), type: 'uuid', of: (row) => row.id }
const name: SortKey<VmView> = { sql: sql.ref('name'), type: 'text', of: (row) => row.name }
const createdAt: SortKey<VmView> = { sql: sql.ref('created_at'), type: 'timestamptz', of: (row) => row.createdAt }

const sortKeys: Record<VmQuery['sort'], readonly SortKey<VmView>[]> = { name: [name, id], createdAt: [createdAt, id] }

export const shownOfVm = [
  ...([
    'id',
    'name',
    'state',
    'cpu',
    'image',
    'ip',
    'mac',
    'tags',
    'version',
    'tenant_id as tenantId',
    'display_name as displayName',
  ] as const),
  ...(['state_since as stateSince', 'wanted_power as wantedPower', 'memory_mi as memoryMi', 'dedicated_cpu as dedicatedCpu'] as const),
  ...(['service_offering_id as serviceOfferingId', 'template_id as templateId', 'template_name as templateName'] as const),
  ...(['source_type as sourceType', 'secure_boot as secureBoot'] as const),
  ...(['os_type as osType', 'root_disk as rootDisk', 'boot_disk_size_gi as bootDiskSizeGi', 'storage_class as storageClass'] as const),
  ...(['disk_progress as diskProgress', 'explanation', 'guest_os as guestOs', 'delete_protection as deleteProtection'] as const),
  'restart_required as restartRequired',
  sql<boolean>`delete_requested_at is not null`.as('deleting'),
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const views = (db: Kysely<Tables>) => db.selectFrom('vm').select(shownOfVm).where('gone_at', 'is', null)

function matching<Query extends Filterable<Query>>(query: Query, { search, states }: VmQuery): Query {
  const searched = whereIf(Boolean(search), query, contains('name', 'display_name', 'ip'))
  return whereIf(Boolean(states), searched, sql<boolean>`state = any(${slot<string[]>('states')}::text[])`)
}

const shapeOf = ({ search, states }: VmQuery): string => `${search ? 's' : ''}${states ? 't' : ''}`

const argsOf = ({ search, states }: VmQuery): Record<string, unknown> => ({ search: searchPattern(search), states })
