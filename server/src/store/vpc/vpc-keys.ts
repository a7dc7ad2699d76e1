import { type Kysely, sql } from 'kysely'
import { type KeyReads, keyNamed, createKeyReads } from '../../engine/database/sql/key-page.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'

export interface VpcKey extends WorkKey {
  /** Its namespace. */
  name: string
  clusterUid: string | null
  /** True when the VPC is active and no deletion is requested. */
  isSettled: boolean
  isGone: boolean
}

const keys = (db: Kysely<Tables>) =>
  db
    .selectFrom('vpc')
    .select(['id', 'tenant_id as tenantId', 'namespace as name', 'cluster_uid as clusterUid'])
    .select(sql<boolean>`state = 'active' and delete_requested_at is null`.as('isSettled'))
    .select(sql<boolean>`gone_at is not null`.as('isGone'))

/**
 * Reads a work key for each VPC: its id, and what the full pass of the reconciler compares with the
 * cluster to find VPCs that need it.
 */
export const vpcKeys: KeyReads<VpcKey> = createKeyReads('vpc', {
  table: 'vpc',
  rows: keys,
  keyOf: keyNamed('vpc'),
})
