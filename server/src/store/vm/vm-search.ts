import { sql } from 'kysely'
import { contains } from '../../engine/database/sql/search.ts'
import { slot } from '../../engine/database/sql/statement.ts'

const like = sql`ilike ${slot('search')}`

/**
 * Matches VMs by name, tag, MAC or any address: an assigned one, or one that the guest reports. The
 * NICs are searched once for all VMs, not once per VM.
 */
export const matchesVm = sql<boolean>`(${contains('vm.name', 'vm.display_name', 'vm.ip')}
  or exists (select from unnest(vm.tags) as tag where tag ${like})
  or exists (select from json_array_elements(vm.observed_nics) as observed where observed ->> 'ip' ${like})
  or vm.id in (select vm_id from nic where free_at is null and (host(address) ${like} or text(mac) ${like})))`
