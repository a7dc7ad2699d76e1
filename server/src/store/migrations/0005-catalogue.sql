-- Every tenant reads the service offerings, only the platform writes them.
create table service_offering (
  id uuid primary key,
  name text not null unique
    check (name ~ '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' and length(name) <= 63),
  display_name text not null,
  cpu int not null check (cpu between 1 and 1024),
  memory_mi int not null check (memory_mi between 1 and 16777216),
  dedicated_cpu boolean not null default false,
  storage_tags text,
  state text not null default 'Active' check (state in ('Active', 'Inactive')),
  external_uuid text,
  import_source text,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create trigger service_offering_version before update on service_offering
  for each row execute function bump_version();

alter table service_offering enable row level security;
alter table service_offering force row level security;
create policy service_offering_read on service_offering for select using (true);
create policy service_offering_write on service_offering using ((select berth_platform()));
grant select, insert, update, delete on service_offering to berth_app;

-- A template without a tenant belongs to the platform, and every tenant reads it. import_generation
-- counts the requested imports (0: nothing is imported). The observed columns describe
-- import_observed_generation, so a late result of an earlier import never counts for a later one.
create table vm_template (
  id uuid primary key,
  tenant_id uuid references tenant (id) on delete cascade,
  name text not null check (name ~ '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' and length(name) <= 50),
  display_name text not null,
  description text not null default '',
  image text not null check (image <> ''),
  source_type text not null check (source_type in ('container', 'iso')),
  os_type text not null default 'linux' check (os_type in ('linux', 'windows')),
  cloud_init_user_data text check (octet_length(cloud_init_user_data) <= 16384),
  iso_size_gi int not null default 8 check (iso_size_gi between 1 and 1024),
  boot_disk_size_gi int not null default 32 check (boot_disk_size_gi between 1 and 65536),
  storage_class text,
  state text not null default 'Active' check (state in ('Active', 'Inactive')),
  import_generation int not null default 0,
  delete_requested_at timestamptz,
  import_observed_generation int not null default 0
    check (import_observed_generation <= import_generation),
  import_state text check (import_state in ('importing', 'ready', 'failed')),
  import_reason text,
  import_detail jsonb,
  import_percent float8,
  imported_bytes float8,
  total_bytes float8,
  bytes_per_second float8,
  import_eta_seconds float8,
  cluster_uid text,
  observed_at timestamptz,
  gone_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create unique index vm_template_name_key on vm_template (tenant_id, name)
  nulls not distinct where gone_at is null;
create index vm_template_tenant_idx on vm_template (tenant_id);
create index vm_template_order_idx on vm_template (name, id) where gone_at is null;
create index vm_template_import_idx on vm_template (id)
  where gone_at is null and import_generation > 0;

create trigger vm_template_version before update on vm_template
  for each row execute function bump_version();

-- Two policies, because a tenant must not delete the templates of the platform that it reads.
alter table vm_template enable row level security;
alter table vm_template force row level security;
create policy vm_template_read on vm_template for select
  using (
    (select berth_platform()) or tenant_id = (select berth_tenant()) or tenant_id is null
  );
create policy vm_template_write on vm_template
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on vm_template to berth_app;

-- Berth writes the public key into VMs as one line, so the table refuses everything else.
create table ssh_key (
  id uuid primary key,
  tenant_id uuid not null references tenant (id) on delete cascade,
  name text not null check (name ~ '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' and length(name) <= 50),
  public_key text not null check (public_key ~ '^[a-z0-9@.-]+ [A-Za-z0-9+/]+=*$'),
  fingerprint text not null check (fingerprint ~ '^SHA256:[A-Za-z0-9+/]{43}$'),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create unique index ssh_key_name_key on ssh_key (tenant_id, name);
create unique index ssh_key_fingerprint_key on ssh_key (tenant_id, fingerprint);

create trigger ssh_key_version before update on ssh_key
  for each row execute function bump_version();

alter table ssh_key enable row level security;
alter table ssh_key force row level security;
create policy ssh_key_tenant_isolation on ssh_key
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on ssh_key to berth_app;

-- The capacity of all nodes as the leader last observed it, written only when it changes.
-- Allocation is not stored: it is counted from the VMs.
create table cluster_capacity (
  id boolean primary key default true check (id),
  hosts jsonb,
  gap text,
  silent_since timestamptz,
  check ((hosts is null) = (gap is not null))
);

alter table cluster_capacity enable row level security;
alter table cluster_capacity force row level security;
create policy cluster_capacity_platform_only on cluster_capacity using ((select berth_platform()));
grant select, insert, update on cluster_capacity to berth_app;
