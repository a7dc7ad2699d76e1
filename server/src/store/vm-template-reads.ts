import { type Kysely, sql } from 'kysely'
import { type Page, type PageRequest } from '../domain/page.ts'
import { type ImportState, type TemplateSource, type TemplateState, type VmTemplateView } from '../domain/vm-template/vm-template.ts'
import { isId } from '../runtime/ids.ts'
import { type Direction, type SortKey, readPage } from './page.ts'
import { type Reader, one, only } from './reader.ts'
import { type Filterable, contains, countAll, searchPattern, whereIf } from './search.ts'
import { slot, statement } from './statement.ts'
import { type Tables } from './tables.ts'

export interface VmTemplateQuery {
  search?: string | null
  sourceType?: TemplateSource | null
  ownedBy?: 'platform' | 'tenant' | null
  sort: 'name' | 'createdAt'
  direction: Direction
}

export class VmTemplateReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  /** One of the tenant's own or of the platform; what is gone is not found. */
  find(id: string): Promise<VmTemplateView | null> {
    if (!isId(id)) return Promise.resolve(null)
    return one(
      this.#reader,
      statement('template.find', (db) => views(db).where('id', '=', slot<string>('id'))),
      { id },
    )
  }

  list(page: PageRequest, query: VmTemplateQuery): Promise<Page<VmTemplateView>> {
    return readPage(this.#reader, page, {
      shape: `template.list ${shapeOf(query)} ${query.sort}`,
      keys: sortKeys[query.sort],
      direction: query.direction,
      args: argsOf(query),
      tenantColumn: null,
      rows: (db) => matching(views(db), query),
    })
  }

  async count(query: VmTemplateQuery): Promise<number> {
    const counted = statement(`template.count ${shapeOf(query)}`, (db) =>
      matching(db.selectFrom('vm_template').where('gone_at', 'is', null), query).select(countAll),
    )
    return (await only(this.#reader, counted, argsOf(query))).total
  }
}

const id: SortKey<VmTemplateView> = { sql: sql.ref('id'), type: 'uuid', of: (row) => row.id }
const name: SortKey<VmTemplateView> = { sql: sql.ref('name'), type: 'text', of: (row) => row.name }
const createdAt: SortKey<VmTemplateView> = { sql: sql.ref('created_at'), type: 'timestamptz', of: (row) => row.createdAt }

// A tenant's template may bear the name of one of the platform.
const sortKeys: Record<VmTemplateQuery['sort'], readonly SortKey<VmTemplateView>[]> = { name: [name, id], createdAt: [createdAt, id] }

/** What is known of an earlier import is no news of the one that was asked for since. */
const ofPresentImport = <T>(column: string) =>
  sql<T | null>`case when import_seen_generation = import_generation then ${sql.ref(column)} end`

const importState = sql<ImportState | null>`case when import_seen_generation < import_generation then 'importing' else import_state end`

const isDeployable = sql`state = 'Active' and delete_requested_at is null and import_seen_generation = import_generation
  and coalesce(import_state, 'ready') = 'ready'`

/** The columns of a view, also for what an insert gives back. */
export const shownOfTemplate = [
  ...(['id', 'name', 'description', 'image', 'version', 'tenant_id as tenantId', 'display_name as displayName'] as const),
  ...(['source_type as sourceType', 'os_type as osType', 'cloud_init_user_data as cloudInitUserData'] as const),
  ...(['iso_size_gi as isoSizeGi', 'boot_disk_size_gi as bootDiskSizeGi', 'storage_class as storageClass'] as const),
  sql<TemplateState>`case when ${isDeployable} then 'Active' else 'Inactive' end`.as('state'),
  importState.as('importState'),
  ofPresentImport<VmTemplateView['importReason']>('import_reason').as('importReason'),
  ofPresentImport<string>('import_detail').as('importDetail'),
  ofPresentImport<number>('import_percent').as('importPercent'),
  ofPresentImport<number>('imported_bytes').as('importedBytes'),
  ofPresentImport<number>('total_bytes').as('totalBytes'),
  ofPresentImport<number>('bytes_per_second').as('bytesPerSecond'),
  ofPresentImport<number>('import_eta_seconds').as('importEtaSeconds'),
  sql<boolean>`delete_requested_at is not null`.as('deleting'),
  sql<boolean>`tenant_id is null`.as('readOnly'),
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const views = (db: Kysely<Tables>) => db.selectFrom('vm_template').where('gone_at', 'is', null).select(shownOfTemplate)

function matching<Query extends Filterable<Query>>(query: Query, { search, sourceType, ownedBy }: VmTemplateQuery): Query {
  const searched = whereIf(Boolean(search), query, contains('name', 'display_name'))
  const ofSource = whereIf(Boolean(sourceType), searched, sql<boolean>`source_type = ${slot('sourceType')}`)
  const ofPlatform = whereIf(ownedBy === 'platform', ofSource, sql<boolean>`tenant_id is null`)
  return whereIf(ownedBy === 'tenant', ofPlatform, sql<boolean>`tenant_id is not null`)
}

const shapeOf = ({ search, sourceType, ownedBy }: VmTemplateQuery): string => `${search ? 's' : ''}${sourceType ? 't' : ''}${ownedBy ?? ''}`

const argsOf = ({ search, sourceType }: VmTemplateQuery): Record<string, unknown> => ({ search: searchPattern(search), sourceType })
