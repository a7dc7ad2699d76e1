import { type Kysely, sql } from 'kysely'
import { type KeyReads, keyNamed, createKeyReads } from '../../engine/database/sql/key-page.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'

export interface VmKey extends WorkKey {
  namespace: string
  name: string
  /** The versions of the cluster's objects when they were last observed. */
  observedVersion: string | null
  /** The reconciler has nothing left to do. */
  isSettled: boolean
  isGone: boolean
}

const keys = (db: Kysely<Tables>) =>
  db
    .selectFrom('vm')
    .innerJoin('tenant', 'tenant.id', 'vm.tenant_id')
    .select([
      'vm.id',
      'vm.tenant_id as tenantId',
      'tenant.namespace',
      'vm.name',
      'vm.observed_version as observedVersion',
      'vm.settled as isSettled',
    ])
    .select(sql<boolean>`vm.gone_at is not null`.as('isGone'))

/**
 * Reads a work key for each VM: its id, and what the full pass of the reconciler compares with the
 * cluster to find VMs that need it.
 */
export const vmKeys: KeyReads<VmKey> = createKeyReads('vm', {
  table: 'vm',
  rows: keys,
  keyOf: keyNamed('vm'),
})
