import { type Kysely, sql } from 'kysely'
import { type Keys, keyNamed, keysOn } from '../../engine/database/sql/key-page.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { type SeenKey } from '../volume/volume-keys.ts'

const keys = (db: Kysely<Tables>) =>
  db
    .selectFrom('volume_snapshot as snapshot')
    .innerJoin('tenant', 'tenant.id', 'snapshot.tenant_id')
    .select([
      'snapshot.id',
      'snapshot.tenant_id as tenantId',
      'tenant.namespace',
      'snapshot.seen_version as seenVersion',
      'snapshot.settled as isSettled',
    ])
    .select(sql<boolean>`snapshot.gone_at is not null`.as('isGone'))

/** Work keys of all volume snapshots. */
export const volumeSnapshotKeys: Keys<SeenKey> = keysOn('volume_snapshot', {
  table: 'snapshot',
  rows: keys,
  keyOf: keyNamed('volume_snapshot'),
})
