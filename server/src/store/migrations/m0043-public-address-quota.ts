import { Migration } from '@mikro-orm/migrations'

/** How many addresses of the public network a tenant may have. */
export class M0043PublicAddressQuota extends Migration {
  override up(): void {
    this.addSql(limit)
    this.addSql(counting)
  }
}

const limit = `
alter table tenant_quota add public_addresses int check (public_addresses >= 0);`

// A tenant may have thousands of NICs, and few of them are public.
const counting = `
create index nic_public_idx on nic (tenant_id) where kind = 'public' and free_at is null;`
