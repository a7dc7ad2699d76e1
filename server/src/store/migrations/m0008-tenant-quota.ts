import { Migration } from '@mikro-orm/migrations'
import { mine, wall } from './m0001-walls.ts'

/**
 * How much a tenant may have of what is shared. What it has is not kept: it is counted from the
 * rows that are there.
 */
export class M0008TenantQuota extends Migration {
  override up(): void {
    this.addSql(limits)
    this.addSql(counting)
    this.addSql(wall('tenant_quota', mine('tenant_id')))
  }
}

// Without a row the platform's own limits hold. Null is no limit.
const limits = `
create table tenant_quota (
  tenant_id uuid primary key references tenant (id) on delete cascade,
  vms int check (vms >= 0),
  vcpus int check (vcpus >= 0),
  memory_mi int check (memory_mi >= 0),
  storage_gi int check (storage_gi >= 0)
);
grant select, insert, update, delete on tenant_quota to berth_app;`

// Everything that is counted of a VM is in here, so that counting thousands reads no rows.
const counting = `
create index vm_share_idx on vm (tenant_id) include (cpu, memory_mi, root_disk, boot_disk_size_gi, iso_size_gi) where gone_at is null;`
