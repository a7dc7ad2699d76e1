create table tenant (
  id uuid primary key,
  name text not null,
  slug text not null check (slug ~ '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' and length(slug) <= 50),
  namespace text not null check (length(namespace) <= 63),
  description text not null default '',
  state text not null default 'creating'
    check (state in ('creating', 'active', 'deleting', 'failed')),
  state_reason jsonb,
  cluster_uid text,
  observed_at timestamptz,
  delete_requested_at timestamptz,
  gone_at timestamptz,
  external_uuid text,
  import_source text,
  generation int not null default 1,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create unique index tenant_slug_key on tenant (slug) where gone_at is null;
create unique index tenant_namespace_key on tenant (namespace) where gone_at is null;
create index tenant_name_idx on tenant (name, id) where gone_at is null;
create index tenant_order_idx on tenant ((slug <> 'default'), name, id) where gone_at is null;

create trigger tenant_version before update on tenant
  for each row execute function bump_version();

alter table tenant enable row level security;
alter table tenant force row level security;
create policy tenant_tenant_isolation on tenant
  using ((select berth_platform()) or id = (select berth_tenant()));
grant select, insert, update, delete on tenant to berth_app;

-- Limits of what a tenant may have. Usage is not stored: it is counted from the rows that exist.
-- Without a row the limits of the configuration hold. Null means no limit.
create table tenant_quota (
  tenant_id uuid primary key references tenant (id) on delete cascade,
  vms int check (vms >= 0),
  vcpus int check (vcpus >= 0),
  memory_mi int check (memory_mi >= 0),
  storage_gi int check (storage_gi >= 0),
  volumes int check (volumes >= 0),
  snapshots int check (snapshots >= 0),
  vpcs int check (vpcs >= 0),
  networks int check (networks >= 0),
  public_addresses int check (public_addresses >= 0)
);

alter table tenant_quota enable row level security;
alter table tenant_quota force row level security;
create policy tenant_quota_tenant_isolation on tenant_quota
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on tenant_quota to berth_app;

-- Versions of the objects that isolate a tenant in the cluster, after the reconciler last wrote
-- them. built_from holds the settings that they were built from, without the tenant's own quota.
-- Without a row the objects must be created.
create table tenant_boundary (
  tenant_id uuid primary key references tenant (id) on delete cascade,
  built_from text not null,
  namespace_version text not null,
  network_policy_version text not null,
  limits_version text not null
);

alter table tenant_boundary enable row level security;
alter table tenant_boundary force row level security;
create policy tenant_boundary_tenant_isolation on tenant_boundary
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on tenant_boundary to berth_app;
