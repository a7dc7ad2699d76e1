import { sql } from 'kysely'
import {
  type ImportState,
  type TemplateSource,
  type TemplateState,
  type VmTemplateView,
} from '../../domain/vm-template/vm-template.ts'
import {
  byCreation,
  byNameOrAge,
  type NamedQuery,
  listReads,
  byText,
} from '../../engine/database/sql/list-reads.ts'
import { contains, countAll } from '../../engine/database/sql/search.ts'
import { type Message } from '../../engine/model/message.ts'

export interface VmTemplateQuery extends NamedQuery {
  state?: TemplateState | null
  sourceType?: TemplateSource | null
  ownedBy?: 'platform' | 'tenant' | null
}

/** Reads the templates of the tenant and of the platform, which may have equal names. */
export class VmTemplateReads extends listReads<'vm_template', VmTemplateView, VmTemplateQuery>({
  stem: 'template',
  tenantColumn: null,
  rows: (db) => db.selectFrom('vm_template').select(vmTemplateViewColumns),
  counted: (db) => db.selectFrom('vm_template').select(countAll),
  found: contains('name', 'display_name'),
  narrowedBy: {
    ...byCreation,
    state: byText(sql.ref('state'), 'state'),
    sourceType: byText(sql.ref('source_type'), 'sourceType'),
    ownedBy: byText(sql`case when tenant_id is null then 'platform' else 'tenant' end`, 'ownedBy'),
  },
  keepsGone: true,
  sortedBy: byNameOrAge,
}) {}

/**
 * Returns the column only when it describes the present import; null when it describes an earlier
 * one.
 */
const ofPresentImport = <T>(column: string) =>
  sql<T | null>`case when import_observed_generation = import_generation then ${sql.ref(column)} end`

const importState = sql<ImportState | null>`case when import_observed_generation < import_generation then 'importing' else import_state end`

const isDeployable = sql`state = 'Active' and delete_requested_at is null and import_observed_generation = import_generation
  and coalesce(import_state, 'ready') = 'ready'`

/** Columns of the view, which an insert returns as well. */
export const vmTemplateViewColumns = [
  ...([
    'id',
    'name',
    'description',
    'image',
    'version',
    'tenant_id as tenantId',
    'display_name as displayName',
  ] as const),
  ...([
    'source_type as sourceType',
    'os_type as osType',
    'cloud_init_user_data as cloudInitUserData',
  ] as const),
  ...([
    'iso_size_gi as isoSizeGi',
    'boot_disk_size_gi as bootDiskSizeGi',
    'storage_class as storageClass',
  ] as const),
  sql<TemplateState>`case when ${isDeployable} then 'Active' else 'Inactive' end`.as('state'),
  importState.as('importState'),
  ofPresentImport<VmTemplateView['importReason']>('import_reason').as('importReason'),
  ofPresentImport<Message>('import_detail').as('importDetail'),
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
