import { type Kysely, sql } from 'kysely'
import { type KeyReads, createKeyReads } from '../../engine/database/sql/key-page.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'

export interface UnmanagedVmKey extends WorkKey {
  namespace: string
  /** The versions of the recorded objects by name. */
  recorded: Readonly<Record<string, string>>
}

/** A tenant whose namespace Berth has not created may have the name of a foreign namespace. */
const hasNamespace = sql<boolean>`tenant.gone_at is null and tenant.cluster_uid is not null`

const keys = (db: Kysely<Tables>) =>
  db
    .selectFrom('tenant')
    .select(['tenant.id', 'tenant.namespace'])
    .select(
      sql<UnmanagedVmKey['recorded']>`coalesce((
        select jsonb_object_agg(unmanaged.name, unmanaged.observed_version)
          from unmanaged_vm unmanaged where unmanaged.tenant_id = tenant.id), '{}')`.as('recorded'),
    )
    .where(hasNamespace)

/**
 * Reads a work key for each tenant that has a namespace: what the full pass of the reconciler
 * compares with the VMs in the cluster.
 */
export const unmanagedVmKeys: KeyReads<UnmanagedVmKey> = createKeyReads('unmanaged_vm', {
  table: 'tenant',
  rows: keys,
  keyOf: ({ id, ...row }) => ({ kind: 'unmanaged_vm', objectId: id, tenantId: id, ...row }),
  live: hasNamespace,
})
