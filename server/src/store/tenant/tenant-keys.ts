import { type Kysely, sql } from 'kysely'
import { type KeyReads, createKeyReads } from '../../engine/database/sql/key-page.ts'
import { type ObservedBoundary } from './tenant-boundary.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'

export interface TenantKey extends WorkKey {
  namespace: string
  clusterUid: string | null
  /** True when the tenant is active and no deletion is requested. */
  isSettled: boolean
  hasOwnLimits: boolean
  /** Versions of the isolating objects; null before they were created. */
  boundary: ObservedBoundary | null
}

const keyOf = ({
  id,
  builtFrom,
  namespaceVersion,
  networkPolicyVersion,
  limitsVersion,
  ...row
}: Row): TenantKey => {
  const known =
    builtFrom !== null &&
    namespaceVersion !== null &&
    networkPolicyVersion !== null &&
    limitsVersion !== null
  const boundary = known
    ? { builtFrom, namespaceVersion, networkPolicyVersion, limitsVersion }
    : null
  return { kind: 'tenant', objectId: id, tenantId: id, ...row, boundary }
}

type Row = Omit<TenantKey, 'kind' | 'objectId' | 'tenantId' | 'boundary'> & { id: string } & {
  [K in keyof ObservedBoundary]: string | null
}

const keys = (db: Kysely<Tables>) =>
  db
    .selectFrom('tenant')
    .leftJoin('tenant_boundary as boundary', 'boundary.tenant_id', 'tenant.id')
    .leftJoin('tenant_quota as quota', 'quota.tenant_id', 'tenant.id')
    .select([
      'tenant.id',
      'tenant.namespace',
      'tenant.cluster_uid as clusterUid',
      'boundary.built_from as builtFrom',
    ])
    .select([
      'boundary.namespace_version as namespaceVersion',
      'boundary.network_policy_version as networkPolicyVersion',
      'boundary.limits_version as limitsVersion',
    ])
    .select(
      sql<boolean>`tenant.state = 'active' and tenant.delete_requested_at is null`.as('isSettled'),
    )
    .select(sql<boolean>`quota.tenant_id is not null`.as('hasOwnLimits'))
    .where('tenant.gone_at', 'is', null)

/**
 * Reads a work key for each tenant that is not gone: its id, and what the full pass of the
 * reconciler compares with the cluster.
 */
export const tenantKeys: KeyReads<TenantKey> = createKeyReads('tenant', {
  table: 'tenant',
  rows: keys,
  keyOf,
})
