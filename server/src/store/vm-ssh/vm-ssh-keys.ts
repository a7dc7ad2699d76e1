import { type Kysely, sql } from 'kysely'
import { type Keys, keyNamed, keysOn } from '../../engine/database/sql/key-page.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'

export interface VmSshKey extends WorkKey {
  namespace: string
  /** Of the cluster's objects, as they were left last; null of what is not to be there. */
  serviceVersion: string | null
  sliceVersion: string | null
  /** All that was asked has been told to the cluster, and the machine is where it was then. */
  isSettled: boolean
}

/** It is asked for, and the machine is to stay. */
export const isWantedSsh = sql<boolean>`vm_ssh.exposed and coalesce(vm.delete_requested_at, vm.failed_at, vm.gone_at) is null`

/** Where a machine that runs is in the cluster's own network. */
export const podAddress = sql<
  string | null
>`case when vm.run_uid is not null and vm.state <> 'Stopped' then (
  select seen ->> 'ip' from nic, json_array_elements(vm.seen_nics) as seen
   where nic.vm_id = vm.id and nic.kind = 'pod' and nic.free_at is null and seen ->> 'name' = 'nic' || nic.ordinal limit 1) end`

const isSettled = sql<boolean>`case
  when not (${isWantedSsh}) then vm_ssh.service_uid is null and vm_ssh.slice_uid is null and vm_ssh.applied_generation = vm_ssh.generation
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
 * Of every machine that anybody asked to reach by SSH, and of which the cluster has something or is
 * to have it.
 */
export const vmSshKeys: Keys<VmSshKey> = keysOn('vm_ssh', {
  table: 'vm',
  rows: keys,
  keyOf: keyNamed('vm_ssh'),
  live: sql<boolean>`(vm.gone_at is null or vm_ssh.service_uid is not null or vm_ssh.slice_uid is not null)`,
})
