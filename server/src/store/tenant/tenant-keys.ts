import { type Kysely, sql } from 'kysely'
import { type Keys, keysOn } from '../../engine/database/sql/key-page.ts'
import { type SeenBoundary } from './tenant-boundary.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'

export interface TenantKey extends WorkKey {
  namespace: string
  clusterUid: string | null
  /** True when the tenant is active and no deletion is requested. */
  isSettled: boolean
  hasOwnLimits: boolean
  /** Versions of the isolating objects; null before they were created. */
  boundary: SeenBoundary | null
}

const keyOf = ({
  id,
  madeOf,
  namespaceVersion,
  wallVersion,
  limitsVersion,
  ...row
}: Row): TenantKey => {
  const known =
    madeOf !== null && namespaceVersion !== null && wallVersion !== null && limitsVersion !== null
  const boundary = known ? { madeOf, namespaceVersion, wallVersion, limitsVersion } : null
  return { kind: 'tenant', objectId: id, tenantId: id, ...row, boundary }
}

type Row = Omit<TenantKey, 'kind' | 'objectId' | 'tenantId' | 'boundary'> & { id: string } & {
  [K in keyof SeenBoundary]: string | null
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
      'boundary.made_of as madeOf',
    ])
    .select([
      'boundary.namespace_version as namespaceVersion',
      'boundary.wall_version as wallVersion',
      'boundary.limits_version as limitsVersion',
    ])
    .select(
      sql<boolean>`tenant.state = 'active' and tenant.delete_requested_at is null`.as('isSettled'),
    )
    .select(sql<boolean>`quota.tenant_id is not null`.as('hasOwnLimits'))
    .where('tenant.gone_at', 'is', null)

/** Work keys of all tenants that are not gone. */
export const tenantKeys: Keys<TenantKey> = keysOn('tenant', { table: 'tenant', rows: keys, keyOf })
