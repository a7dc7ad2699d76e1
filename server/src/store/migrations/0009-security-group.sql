create table security_group (
  id uuid primary key,
  tenant_id uuid not null references tenant (id) on delete cascade,
  name text not null check (name <> '' and length(name) <= 100),
  description text not null default '',
  -- There is no foreign key: groups that were meant for a VPC stay as they are when it is deleted.
  vpc_id uuid,
  is_default boolean not null default false,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create unique index security_group_name_key on security_group (tenant_id, name);
create unique index security_group_default_key on security_group (tenant_id) where is_default;
create unique index security_group_tenant_key on security_group (tenant_id, id);

create trigger security_group_version before update on security_group
  for each row execute function bump_version();

alter table security_group enable row level security;
alter table security_group force row level security;
create policy security_group_tenant_isolation on security_group
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on security_group to berth_app;

-- All rules of a group are replaced together. The foreign key carries the tenant, because row level
-- security does not hold for what a rule refers to.
create table security_group_rule (
  group_id uuid not null references security_group (id) on delete cascade,
  position int not null,
  tenant_id uuid not null,
  direction text not null check (direction in ('ingress', 'egress')),
  protocol text not null check (protocol in ('tcp', 'udp', 'icmp', 'all')),
  port_from int check (port_from between 1 and 65535),
  port_to int check (port_to between port_from and 65535),
  single_port boolean not null default false,
  cidr text check (cidr is null or cidr::cidr is not null),
  peer_group_id uuid,
  primary key (group_id, position),
  foreign key (tenant_id, peer_group_id) references security_group (tenant_id, id),
  check ((cidr is null) <> (peer_group_id is null)),
  check ((port_from is null) = (port_to is null)),
  check (port_from is null or protocol in ('tcp', 'udp'))
);

create index security_group_rule_peer_idx on security_group_rule (tenant_id, peer_group_id);

alter table security_group_rule enable row level security;
alter table security_group_rule force row level security;
create policy security_group_rule_tenant_isolation on security_group_rule
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on security_group_rule to berth_app;

create table vm_security_group (
  vm_id uuid not null references vm (id) on delete cascade,
  group_id uuid not null,
  tenant_id uuid not null,
  primary key (vm_id, group_id),
  foreign key (tenant_id, group_id) references security_group (tenant_id, id)
);

create index vm_security_group_group_idx on vm_security_group (tenant_id, group_id);

alter table vm_security_group enable row level security;
alter table vm_security_group force row level security;
create policy vm_security_group_tenant_isolation on vm_security_group
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on vm_security_group to berth_app;

-- generation counts what may have changed in the firewall of a VM, membership how often its groups
-- were chosen. The other columns belong to the reconcilers: which generation the cluster has or
-- refuses, and which choice has reached the VMs whose rules name the groups of this VM.
create table vm_firewall (
  vm_id uuid primary key references vm (id) on delete cascade,
  tenant_id uuid not null,
  generation int not null default 1,
  membership int not null default 1,
  applied_generation int not null default 0,
  propagated_membership int not null default 0,
  cluster_uid text,
  observed_version text,
  networks_uid text,
  networks_version text,
  refused_generation int not null default 0
);

create index vm_firewall_tenant_idx on vm_firewall (tenant_id);

alter table vm_firewall enable row level security;
alter table vm_firewall force row level security;
create policy vm_firewall_tenant_isolation on vm_firewall
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on vm_firewall to berth_app;

-- A VM that is gone uses no security group.
create function forget_vm_groups() returns trigger
  language plpgsql
as $$
begin
  delete from vm_security_group where vm_id = new.id;
  delete from vm_firewall where vm_id = new.id;
  return null;
end
$$;

create trigger vm_forget_groups after update of gone_at on vm
  for each row when (new.gone_at is not null) execute function forget_vm_groups();

-- The firewall of the VM admits or blocks SSH as requested from firewall_generation on. The
-- reconciler writes the columns after it. The row stays when the VM is gone, because a paused
-- worker may have created objects for it.
create table vm_ssh (
  vm_id uuid primary key references vm (id) on delete cascade,
  tenant_id uuid not null,
  exposed boolean not null,
  wanted_node_port int check (wanted_node_port between 1 and 65535),
  generation int not null default 1,
  firewall_generation int not null,
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

alter table vm_ssh enable row level security;
alter table vm_ssh force row level security;
create policy vm_ssh_tenant_isolation on vm_ssh
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on vm_ssh to berth_app;
