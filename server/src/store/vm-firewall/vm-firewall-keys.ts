import { type Kysely, sql } from 'kysely'
import { type KeyReads, keyNamed, createKeyReads } from '../../engine/database/sql/key-page.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'

export interface VmFirewallKey extends WorkKey {
  namespace: string
  /** The resource version of the NetworkPolicy after Berth's last write. */
  observedVersion: string | null
  /**
   * The resource version of the MultiNetworkPolicy; null when none is needed, or when that is not
   * known yet.
   */
  networksVersion: string | null
  hasNetworks: boolean
  /**
   * The bounds and the version of the policy; empty when an earlier build wrote it. Null while the
   * VM's own reconciler writes it.
   */
  builtFrom: string | null
  /** True when the cluster has the current firewall, or should not have it yet. */
  isSettled: boolean
  /** True when the VM is gone, so that the cluster should have no firewall for it. */
  isGone: boolean
}

// While a VM is created or deleted, its own reconciler writes the firewall.
const hasOwnReconciler = sql<boolean>`vm.cluster_uid is null or vm.delete_requested_at is not null`
const isSettled = sql<boolean>`${hasOwnReconciler}
  or vm_firewall.applied_generation = vm_firewall.generation`.as('isSettled')

const builtFrom = sql<string | null>`case when ${hasOwnReconciler} then null
  else coalesce(vm_firewall.built_from, '') end`.as('builtFrom')

const keys = (db: Kysely<Tables>) =>
  db
    .selectFrom('vm')
    .innerJoin('tenant', 'tenant.id', 'vm.tenant_id')
    .leftJoin('vm_firewall', 'vm_firewall.vm_id', 'vm.id')
    .select([
      'vm.id',
      'vm.tenant_id as tenantId',
      'tenant.namespace',
      'vm_firewall.observed_version as observedVersion',
      isSettled,
    ])
    .select([
      'vm_firewall.networks_version as networksVersion',
      sql<boolean>`vm_firewall.networks_uid is not null`.as('hasNetworks'),
      builtFrom,
    ])
    .select(sql<boolean>`vm.gone_at is not null`.as('isGone'))

/**
 * Reads a work key for the firewall of each VM: the id of the VM, and what the full pass of the
 * reconciler compares with the cluster.
 */
export const vmFirewallKeys: KeyReads<VmFirewallKey> = createKeyReads('vm_firewall', {
  table: 'vm',
  rows: keys,
  keyOf: keyNamed('vm_firewall'),
})
