import { type Kysely, sql } from 'kysely'
import { type KeyReads, keyNamed, createKeyReads } from '../../engine/database/sql/key-page.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { type ObservedKey } from '../volume/volume-keys.ts'

const keys = (db: Kysely<Tables>) =>
  db
    .selectFrom('vm_snapshot as snapshot')
    .innerJoin('tenant', 'tenant.id', 'snapshot.tenant_id')
    .select([
      'snapshot.id',
      'snapshot.tenant_id as tenantId',
      'tenant.namespace',
      'snapshot.observed_version as observedVersion',
      'snapshot.settled as isSettled',
    ])
    .select(sql<boolean>`snapshot.gone_at is not null`.as('isGone'))

/**
 * Reads a work key for each VM snapshot: its id, and what the full pass of the reconciler compares
 * with the cluster.
 */
export const vmSnapshotKeys: KeyReads<ObservedKey> = createKeyReads('vm_snapshot', {
  table: 'snapshot',
  rows: keys,
  keyOf: keyNamed('vm_snapshot'),
})
