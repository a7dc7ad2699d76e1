import { Migration } from '@mikro-orm/migrations'

/** NICs in the public network, which has no row: it is what the configuration says. */
export class M0041PublicNic extends Migration {
  override up(): void {
    this.addSql(kinds)
  }
}

const kinds = `
alter table nic
  drop constraint nic_kind_check,
  drop constraint nic_network_of_kind,
  add constraint nic_kind_check check (kind in ('pod', 'private', 'public')),
  add constraint nic_network_of_kind check ((kind = 'pod') = (network_id is null) and (kind = 'private') = (network_cidr is not null));`
