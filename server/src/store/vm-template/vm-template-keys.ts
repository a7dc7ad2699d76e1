import { type Kysely, sql } from 'kysely'
import { type KeyReads, keyNamed, createKeyReads } from '../../engine/database/sql/key-page.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'

// Templates of the platform import nothing, so they need no reconciling.
const keys = (db: Kysely<Tables>) =>
  db
    .selectFrom('vm_template')
    .select(['id', sql<string>`tenant_id`.as('tenantId')])
    .where('tenant_id', 'is not', null)

/**
 * Reads the work keys of all templates that have objects in the cluster. The full pass of the
 * reconciler enqueues them.
 */
export const templateKeys: KeyReads<WorkKey> = createKeyReads('vm_template', {
  table: 'vm_template',
  rows: keys,
  keyOf: keyNamed('vm_template'),
  live: sql<boolean>`gone_at is null and import_generation > 0`,
})
