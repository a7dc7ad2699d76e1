-- Reconcilers alone write the columns of vpc and network from state on.
create table vpc (
  id uuid primary key,
  tenant_id uuid not null references tenant (id) on delete cascade,
  name text not null check (name <> '' and length(name) <= 100),
  cidr cidr not null,
  namespace text not null check (length(namespace) <= 63),
  is_default boolean not null default false,
  delete_requested_at timestamptz,
  state text not null default 'creating' check (state in ('creating', 'active', 'failed')),
  state_reason jsonb,
  cluster_uid text,
  observed_at timestamptz,
  gone_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, tenant_id, cidr),
  constraint vpc_cidr_overlap
    exclude using gist (tenant_id with =, cidr inet_ops with &&) where (gone_at is null)
);

create unique index vpc_name_key on vpc (tenant_id, lower(name)) where gone_at is null;
create unique index vpc_namespace_key on vpc (namespace);
create index vpc_tenant_idx on vpc (tenant_id);
create index vpc_order_idx on vpc (tenant_id, name, id) where gone_at is null;
create index vpc_id_idx on vpc (id) where gone_at is null;

create trigger vpc_version before update on vpc
  for each row execute function bump_version();

alter table vpc enable row level security;
alter table vpc force row level security;
create policy vpc_tenant_isolation on vpc
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on vpc to berth_app;

-- The foreign key carries the tenant and the block of the VPC. A network therefore cannot belong to
-- another tenant than its VPC, nor leave the block. A segment is free again when the network is
-- gone, because its attachment is gone by then.
create table network (
  id uuid primary key,
  tenant_id uuid not null references tenant (id) on delete cascade,
  vpc_id uuid not null,
  vpc_cidr cidr not null,
  name text not null check (name <> '' and length(name) <= 100),
  cidr cidr not null check (cidr <<= vpc_cidr),
  gateway inet not null check (gateway << cidr),
  attachment_namespace text not null check (length(attachment_namespace) <= 63),
  attachment_name text not null check (length(attachment_name) <= 63),
  is_default boolean not null default false,
  delete_requested_at timestamptz,
  state text not null default 'creating' check (state in ('creating', 'active', 'failed')),
  state_reason jsonb,
  driver text,
  bridge text,
  segment int check (segment between 1 and 4094),
  mtu int check (mtu between 576 and 65535),
  cluster_uid text,
  observed_version text,
  subnet_generation int,
  observed_at timestamptz,
  gone_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (vpc_id, tenant_id, vpc_cidr)
    references vpc (id, tenant_id, cidr) on delete cascade,
  check ((driver is null) = (mtu is null)),
  check ((segment is null) = (bridge is null)),
  check (segment is null or driver is not null),
  constraint network_tenant_cidr_key unique (id, tenant_id, cidr),
  constraint network_cidr_overlap
    exclude using gist (vpc_id with =, cidr inet_ops with &&) where (gone_at is null)
);

create unique index network_segment_key on network (segment)
  where gone_at is null and segment is not null;
create unique index network_name_key on network (vpc_id, lower(name)) where gone_at is null;
create unique index network_attachment_key on network (attachment_namespace, attachment_name);
create index network_tenant_idx on network (tenant_id);
create index network_vpc_idx on network (vpc_id, tenant_id, vpc_cidr);
create index network_order_idx on network (tenant_id, name, id) where gone_at is null;
create index network_id_idx on network (id) where gone_at is null;

create trigger network_version before update on network
  for each row execute function bump_version();

alter table network enable row level security;
alter table network force row level security;
create policy network_tenant_isolation on network
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on network to berth_app;
