import { Migration } from '@mikro-orm/migrations'

/**
 * How the filter in other networks and the subnet were left, so that what somebody else makes of
 * them is seen.
 */
export class M0071WatchedFilters extends Migration {
  override up(): void {
    this.addSql(filter)
    this.addSql(subnet)
  }
}

const filter = `
alter table vm_guard add networks_version text;`

const subnet = `
alter table network add subnet_generation int;`
