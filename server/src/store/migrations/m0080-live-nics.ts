import { Migration } from '@mikro-orm/migrations'

/**
 * NICs that come to machines while they run, and leave them; what keeps a machine on its host, and
 * a NIC waiting.
 */
export class M0080LiveNics extends Migration {
  override up(): void {
    for (const statement of [columns, before]) this.addSql(statement)
  }
}

const columns = `
alter table nic add column waits_for text;
alter table vm add column nics_live_until timestamptz, add column stays text;`

// What leaves already was taken from its machine with the old way, and is not to be put back into
// it. All that runs is looked at anew.
const before = `
update nic set waits_for = 'unknown' where leave_requested_at is not null and free_at is null;
update vm set seen_version = null where gone_at is null;`
