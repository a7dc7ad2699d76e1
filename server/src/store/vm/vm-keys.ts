import { type Kysely, sql } from 'kysely'
import { type Keys, keyNamed, keysOn } from '../../engine/database/sql/key-page.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'

export interface VmKey extends WorkKey {
  namespace: string
  name: string
  /** Of the cluster's objects, as they were seen last. */
  seenVersion: string | null
  /** All that was asked has been told to the cluster, and it has come to rest there. */
  isSettled: boolean
  isGone: boolean
}

// Elsewhere things change with time alone: a start that takes too long, a deadline.
const isSettled =
  sql<boolean>`vm.applied_generation = vm.generation and vm.delete_requested_at is null and vm.failed_at is null
  and vm.restore_id is not distinct from vm.restored_id and (vm.iso_inserted or vm.iso_uid is null) and vm.state in ('Running', 'Stopped', 'Paused', 'Lost')`.as(
    'isSettled',
  )

const keys = (db: Kysely<Tables>) =>
  db
    .selectFrom('vm')
    .innerJoin('tenant', 'tenant.id', 'vm.tenant_id')
    .select([
      'vm.id',
      'vm.tenant_id as tenantId',
      'tenant.namespace',
      'vm.name',
      'vm.seen_version as seenVersion',
      isSettled,
    ])
    .select(sql<boolean>`vm.gone_at is not null`.as('isGone'))

/** Of every machine. */
export const vmKeys: Keys<VmKey> = keysOn('vm', { table: 'vm', rows: keys, keyOf: keyNamed('vm') })
