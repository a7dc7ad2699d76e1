import { type Kysely, sql } from 'kysely'
import { type KeyReads, keyNamed, createKeyReads } from '../../engine/database/sql/key-page.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'

/** The key of a row with one object in the cluster, whose version tells whether it has changed. */
export interface ObservedKey extends WorkKey {
  namespace: string
  /** The version of that object when it was last observed. */
  observedVersion: string | null
  /** The reconciler has nothing left to do. */
  isSettled: boolean
  isGone: boolean
}

const keys = (db: Kysely<Tables>) =>
  db
    .selectFrom('volume')
    .innerJoin('tenant', 'tenant.id', 'volume.tenant_id')
    .select([
      'volume.id',
      'volume.tenant_id as tenantId',
      'tenant.namespace',
      'volume.observed_version as observedVersion',
      'volume.settled as isSettled',
    ])
    .select(sql<boolean>`volume.gone_at is not null`.as('isGone'))

/**
 * Reads a work key for each volume: its id, and what the full pass of the reconciler compares with
 * the cluster to find volumes that need it.
 */
export const volumeKeys: KeyReads<ObservedKey> = createKeyReads('volume', {
  table: 'volume',
  rows: keys,
  keyOf: keyNamed('volume'),
})
