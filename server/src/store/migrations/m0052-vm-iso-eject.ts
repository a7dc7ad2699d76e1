import { Migration } from '@mikro-orm/migrations'

/**
 * Whether a machine is to have the ISO that it is installed from, whose copy takes room until no
 * run of it has it any more.
 */
export class M0052VmIsoEject extends Migration {
  override up(): void {
    this.addSql(`alter table vm add column iso_inserted boolean not null default false`)
    this.addSql(`update vm set iso_inserted = true where iso_claim is not null`)
    // What a tenant has is still summed from the index alone.
    this.addSql(`drop index vm_share_idx`)
    this.addSql(`create index vm_share_idx on vm (tenant_id)
      include (cpu, memory_mi, root_disk, boot_disk_size_gi, iso_size_gi, iso_inserted, iso_uid) where gone_at is null`)
  }
}
