import { sql } from 'kysely'
import { type VmInNetwork } from '../../domain/network/vm-in-network.ts'
import { type Reader } from '../../engine/database/sql/reader.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'

const keys = { network: 'network.id', vpc: 'network.vpc_id' } as const

/**
 * Returns the VMs with a NIC in each network or VPC. Those without VMs have no entry.
 */
export async function vmsInNetworks(
  reader: Reader,
  by: keyof typeof keys,
  ids: readonly string[],
): Promise<ReadonlyMap<string, VmInNetwork[]>> {
  const column = sql.ref<string>(keys[by])
  const found = statement(`nic.vmsIn ${by}`, (db) =>
    db
      .selectFrom('nic')
      .innerJoin('network', 'network.id', 'nic.network_id')
      .innerJoin('vm', 'vm.id', 'nic.vm_id')
      .select([
        column.as('id'),
        'vm.name',
        sql<boolean>`vm.delete_requested_at is not null`.as('deleting'),
      ])
      .distinct()
      .where(sql<boolean>`${column} = any(${slot('ids')}::uuid[])`)
      .where('nic.free_at', 'is', null)
      .orderBy('vm.name'),
  )
  return Map.groupBy(await reader.all(found, { ids }), ({ id }) => id)
}
