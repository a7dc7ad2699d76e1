import { Migration } from '@mikro-orm/migrations'
import { mine } from './m0001-walls.ts'

/**
 * What VMs are made from: templates of the platform (without a tenant), which all read, and the
 * tenants' own.
 */
export class M0003VmTemplate extends Migration {
  override up(): void {
    for (const statement of [templates, grants, walls]) this.addSql(statement)
  }
}

// What was asked and what was seen are different columns. `import_generation` counts what was asked
// for (0: nothing is imported); the columns of the import speak of `import_seen_generation`, so
// what is told of an earlier import is never taken for news of a later one.
const templates = `
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
  import_seen_generation int not null default 0 check (import_seen_generation <= import_generation),
  import_state text check (import_state in ('importing', 'ready', 'failed')),
  import_reason text,
  import_detail text,
  import_percent float8,
  imported_bytes float8,
  total_bytes float8,
  bytes_per_second float8,
  import_eta_seconds float8,
  cluster_uid text,
  seen_at timestamptz,
  gone_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index vm_template_name_key on vm_template (tenant_id, name) nulls not distinct where gone_at is null;
create index vm_template_tenant_idx on vm_template (tenant_id);
create index vm_template_order_idx on vm_template (name, id) where gone_at is null;
create index vm_template_import_idx on vm_template (id) where gone_at is null and import_generation > 0;
create trigger vm_template_version before update on vm_template for each row execute function bump_version();`

const grants = 'grant select, insert, update, delete on vm_template to berth_app;'

// Two policies and not one: what a tenant may read of the platform it must not be able to delete
// either.
const walls = `
alter table vm_template enable row level security;
alter table vm_template force row level security;
create policy vm_template_read on vm_template for select using (${mine('tenant_id')} or tenant_id is null);
create policy vm_template_write on vm_template using (${mine('tenant_id')}) with check (${mine('tenant_id')});`
