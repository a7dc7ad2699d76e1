import { Migration } from '@mikro-orm/migrations'
import { mine, wall } from './m0001-walls.ts'

/** The machines of tenants: what was asked of each, and what was seen of it. */
export class M0004Vm extends Migration {
  override up(): void {
    this.addSql(machines)
    this.addSql(wall('vm', mine('tenant_id')))
  }
}

// `generation` counts what was asked; `applied_generation` is the one that the cluster has been
// told. The columns from `state` on are written by the reconciler alone. A MAC belongs to one
// machine on the whole platform as long as the machine is there.
const machines = `
create table vm (
  id uuid primary key,
  tenant_id uuid not null references tenant (id) on delete cascade,
  name text not null check (name ~ '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' and length(name) <= 50),
  display_name text not null,
  template_id uuid references vm_template (id) on delete set null,
  template_name text not null,
  image text not null,
  os_type text not null check (os_type in ('linux', 'windows')),
  service_offering_id uuid references service_offering (id) on delete set null,
  cpu int not null check (cpu > 0),
  memory_mi int not null check (memory_mi > 0),
  dedicated_cpu boolean not null default false,
  root_disk text not null check (root_disk in ('persistent', 'ephemeral')),
  boot_disk_size_gi int not null check (boot_disk_size_gi > 0),
  storage_class text,
  mac text not null check (mac ~ '^02(:[0-9a-f]{2}){5}$'),
  user_data bytea not null,
  tags text[] not null default '{}',
  delete_protection boolean not null default false,
  wanted_power text not null default 'on' check (wanted_power in ('on', 'off')),
  generation int not null default 1,
  delete_requested_at timestamptz,
  state text not null default 'Pending',
  state_since timestamptz not null default now(),
  explanation jsonb,
  disk_progress int,
  ip text,
  guest_os text,
  cluster_uid text,
  disk_uid text,
  secret_uid text,
  applied_generation int not null default 0,
  failed_at timestamptz,
  seen_version text,
  seen_at timestamptz,
  gone_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index vm_name_key on vm (tenant_id, name) where gone_at is null;
create unique index vm_mac_key on vm (mac) where gone_at is null;
create index vm_tenant_idx on vm (tenant_id, name, id) where gone_at is null;
create index vm_template_ref_idx on vm (template_id);
create index vm_offering_ref_idx on vm (service_offering_id);
create index vm_id_idx on vm (id) where gone_at is null;
create trigger vm_version before update on vm for each row execute function bump_version();
grant select, insert, update, delete on vm to berth_app;`
