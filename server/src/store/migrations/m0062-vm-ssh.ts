import { Migration } from '@mikro-orm/migrations'
import { mine, wall } from './m0001-walls.ts'

/** Which machines are reached by SSH from outside, and by which port of the cluster. */
export class M0062VmSsh extends Migration {
  override up(): void {
    this.addSql(exposures)
    this.addSql(wall('vm_ssh', mine('tenant_id')))
  }
}

// Asked: up to `guard_generation`, from which on the machine's guard lets it in, or does not any
// more. The rest is the reconciler's: what it has told the cluster, under which identities, and
// what the cluster will never do. The row stays when the machine is gone, for what a paused worker
// may have made of it.
const exposures = `
create table vm_ssh (
  vm_id uuid primary key references vm (id) on delete cascade,
  tenant_id uuid not null,
  exposed boolean not null,
  wanted_node_port int check (wanted_node_port between 1 and 65535),
  generation int not null default 1,
  guard_generation int not null,
  applied_generation int not null default 0,
  refused_generation int not null default 0,
  refusal text check (refusal in ('port_taken', 'not_possible')),
  node_port int,
  address text,
  service_uid text,
  service_version text,
  slice_uid text,
  slice_version text
);
create index vm_ssh_tenant_idx on vm_ssh (tenant_id);
grant select, insert, update, delete on vm_ssh to berth_app;`
