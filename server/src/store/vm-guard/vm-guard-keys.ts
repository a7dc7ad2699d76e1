import { type Kysely, sql } from 'kysely'
import { type Keys, keyNamed, keysOn } from '../../engine/database/sql/key-page.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'

export interface VmGuardKey extends WorkKey {
  namespace: string
  /** Of the cluster's object, as it was left last. */
  seenVersion: string | null
  /**
   * The same of its filter in other networks; null where none is to be, or where that is not known
   * yet.
   */
  networksVersion: string | null
  hasNetworks: boolean
  /** All that was asked has been told to the cluster, or is not to be told yet. */
  isSettled: boolean
  /** There is to be nothing of it in the cluster; or not yet, or not any more. */
  isGone: boolean
}

// One that is being made or is leaving is the machine's own business.
const isSettled = sql<boolean>`vm.cluster_uid is null or vm.delete_requested_at is not null
  or vm_guard.applied_generation = vm_guard.generation`.as('isSettled')

const keys = (db: Kysely<Tables>) =>
  db
    .selectFrom('vm')
    .innerJoin('tenant', 'tenant.id', 'vm.tenant_id')
    .leftJoin('vm_guard', 'vm_guard.vm_id', 'vm.id')
    .select([
      'vm.id',
      'vm.tenant_id as tenantId',
      'tenant.namespace',
      'vm_guard.seen_version as seenVersion',
      isSettled,
    ])
    .select([
      'vm_guard.networks_version as networksVersion',
      sql<boolean>`vm_guard.networks_uid is not null`.as('hasNetworks'),
    ])
    .select(sql<boolean>`vm.gone_at is not null`.as('isGone'))

/** Of the guard of every machine. */
export const vmGuardKeys: Keys<VmGuardKey> = keysOn('vm_guard', {
  table: 'vm',
  rows: keys,
  keyOf: keyNamed('vm_guard'),
})
