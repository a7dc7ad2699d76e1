import { type Kysely, sql } from 'kysely'
import { type KeyReads, keyNamed, createKeyReads } from '../../engine/database/sql/key-page.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'

export interface VmSshKey extends WorkKey {
  namespace: string
  /**
   * The resource version of the service after Berth's last write; null when it should not exist.
   * `sliceVersion` is that of the endpoint slice.
   */
  serviceVersion: string | null
  sliceVersion: string | null
  /** True when the cluster has the requested access for the VM's current address. */
  isSettled: boolean
}

/** True when SSH access is requested and the VM has neither failed nor been deleted. */
export const isDesiredSsh = sql<boolean>`vm_ssh.exposed and coalesce(vm.delete_requested_at, vm.gone_at) is null`

/** The address of a running VM on the cluster network. */
export const podAddress = sql<
  string | null
>`case when vm.vmi_uid is not null and vm.state <> 'Stopped' then (
  select observed ->> 'ip' from nic, json_array_elements(vm.observed_nics) as observed
   where nic.vm_id = vm.id and nic.kind = 'pod' and nic.free_at is null and observed ->> 'name' = 'nic' || nic.ordinal limit 1) end`

const isSettled = sql<boolean>`case
  when not (${isDesiredSsh}) then vm_ssh.service_uid is null and vm_ssh.slice_uid is null and vm_ssh.applied_generation = vm_ssh.generation
  when vm_ssh.refused_generation = vm_ssh.generation then true
  else vm_ssh.applied_generation = vm_ssh.generation and vm_ssh.address is not distinct from (${podAddress}) end`

const keys = (db: Kysely<Tables>) =>
  db
    .selectFrom('vm')
    .innerJoin('vm_ssh', 'vm_ssh.vm_id', 'vm.id')
    .innerJoin('tenant', 'tenant.id', 'vm.tenant_id')
    .select(['vm.id', 'vm.tenant_id as tenantId', 'tenant.namespace', isSettled.as('isSettled')])
    .select(['vm_ssh.service_version as serviceVersion', 'vm_ssh.slice_version as sliceVersion'])

/**
 * Reads a work key for each VM with SSH access: its id, and what the full pass of the reconciler
 * compares with the cluster. A VM counts until the objects of its SSH access are gone.
 */
export const vmSshKeys: KeyReads<VmSshKey> = createKeyReads('vm_ssh', {
  table: 'vm',
  rows: keys,
  keyOf: keyNamed('vm_ssh'),
  live: sql<boolean>`(vm.gone_at is null or vm_ssh.service_uid is not null or vm_ssh.slice_uid is not null)`,
})
