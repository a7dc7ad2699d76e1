import { Migration } from '@mikro-orm/migrations'

/** Networks that are subnets of Kube-OVN. */
export class M0044KubeOvn extends Migration {
  override up(): void {
    this.addSql(drivers)
  }
}

const drivers = `
alter table network
  drop constraint network_driver_check,
  add constraint network_driver_check check (driver in ('bridge-vlan', 'ovn-layer2', 'kube-ovn'));`
