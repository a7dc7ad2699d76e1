import { Migration } from '@mikro-orm/migrations'
import { mine, wall } from './m0001-walls.ts'

/**
 * Who may talk to machines: groups of rules, which machines have them, and how far the cluster has
 * been told.
 */
export class M0020SecurityGroup extends Migration {
  override up(): void {
    for (const statement of [groups, rules, memberships, guards, forgetting, forThoseBefore])
      this.addSql(statement)
    for (const table of ['security_group', 'security_group_rule', 'vm_security_group', 'vm_guard'])
      this.addSql(wall(table, mine('tenant_id')))
  }
}

const groups = `
create table security_group (
  id uuid primary key,
  tenant_id uuid not null references tenant (id) on delete cascade,
  name text not null check (name <> '' and length(name) <= 100),
  description text not null default '',
  is_default boolean not null default false,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index security_group_name_key on security_group (tenant_id, name);
create unique index security_group_default_key on security_group (tenant_id) where is_default;
create unique index security_group_tenant_key on security_group (tenant_id, id);
create trigger security_group_version before update on security_group for each row execute function bump_version();
grant select, insert, update, delete on security_group to berth_app;`

// The rules of a group are written as a whole. That a peer is of the same tenant is the table's to
// know: no wall stands before what a rule points at.
const rules = `
create table security_group_rule (
  group_id uuid not null references security_group (id) on delete cascade,
  position int not null,
  tenant_id uuid not null,
  direction text not null check (direction in ('ingress', 'egress')),
  protocol text not null check (protocol in ('tcp', 'udp', 'icmp', 'all')),
  port_from int check (port_from between 1 and 65535),
  port_to int check (port_to between port_from and 65535),
  cidr text check (cidr is null or cidr::cidr is not null),
  peer_group_id uuid,
  primary key (group_id, position),
  foreign key (tenant_id, peer_group_id) references security_group (tenant_id, id),
  check ((cidr is null) <> (peer_group_id is null)),
  check ((port_from is null) = (port_to is null)),
  check (port_from is null or protocol in ('tcp', 'udp'))
);
create index security_group_rule_peer_idx on security_group_rule (tenant_id, peer_group_id);
grant select, insert, update, delete on security_group_rule to berth_app;`

const memberships = `
create table vm_security_group (
  vm_id uuid not null references vm (id) on delete cascade,
  group_id uuid not null,
  tenant_id uuid not null,
  primary key (vm_id, group_id),
  foreign key (tenant_id, group_id) references security_group (tenant_id, id)
);
create index vm_security_group_group_idx on vm_security_group (tenant_id, group_id);
grant select, insert, update, delete on vm_security_group to berth_app;`

// Asked: \`generation\` counts what may have changed in what a machine lets through, \`membership\`
// how often its own groups were chosen. The rest is the reconcilers': which generation the cluster
// has been told or will never take, and of which choice those have heard whose rules name the
// machine's groups.
const guards = `
create table vm_guard (
  vm_id uuid primary key references vm (id) on delete cascade,
  tenant_id uuid not null,
  generation int not null default 1,
  membership int not null default 1,
  applied_generation int not null default 0,
  told_membership int not null default 0,
  cluster_uid text,
  seen_version text,
  refused_generation int not null default 0
);
create index vm_guard_tenant_idx on vm_guard (tenant_id);
grant select, insert, update, delete on vm_guard to berth_app;`

// A machine that is gone holds on to no group.
const forgetting = `
create function forget_vm_groups() returns trigger language plpgsql as $$
begin
  delete from vm_security_group where vm_id = new.id;
  delete from vm_guard where vm_id = new.id;
  return null;
end $$;
create trigger vm_forget_groups after update of gone_at on vm
  for each row when (new.gone_at is not null) execute function forget_vm_groups();`

// What new tenants and machines begin with, for those that are there already.
const forThoseBefore = `
insert into security_group (id, tenant_id, name, description, is_default)
select gen_random_uuid(), id, 'default', 'Of VMs for which no other was chosen.', true from tenant where gone_at is null;
insert into security_group_rule (group_id, position, tenant_id, direction, protocol, port_from, port_to, cidr)
select id, position, tenant_id, direction, protocol, port, port, cidr
  from security_group, (values
    (0, 'ingress', 'tcp', 80, '0.0.0.0/0'), (1, 'egress', 'all', null, '0.0.0.0/0'), (2, 'egress', 'all', null, '::/0')
  ) as rule (position, direction, protocol, port, cidr);
insert into vm_security_group (vm_id, group_id, tenant_id)
select vm.id, security_group.id, vm.tenant_id from vm join security_group using (tenant_id) where vm.gone_at is null;
insert into vm_guard (vm_id, tenant_id) select id, tenant_id from vm where gone_at is null;`
