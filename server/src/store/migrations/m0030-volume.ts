import { Migration } from '@mikro-orm/migrations'
import { mine, wall } from './m0001-walls.ts'

/** The disks of tenants that live by themselves, and which machine each is in. */
export class M0030Volume extends Migration {
  override up(): void {
    this.addSql(volumes)
    this.addSql(wall('volume', mine('tenant_id')))
  }
}

// Asked: up to `delete_requested_at`; seen: from `state` on, written by the reconciler alone.
// `vm_id` is the machine that a volume is to be in, `held_by` the one that has not let go of it:
// one row has one of each, and they cannot be two.
const volumes = `
create table volume (
  id uuid primary key,
  tenant_id uuid not null references tenant (id) on delete cascade,
  name text not null check (name ~ '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' and length(name) <= 50),
  size_gi int not null check (size_gi between 1 and 65536),
  storage_class text not null,
  vm_id uuid references vm (id),
  delete_requested_at timestamptz,
  state text not null default 'creating',
  state_since timestamptz not null default now(),
  explanation jsonb,
  held_by uuid references vm (id),
  bound boolean not null default false,
  grown_gi int,
  bytes_per_gi float8,
  cluster_uid text,
  failed_at timestamptz,
  seen_version text,
  seen_at timestamptz,
  gone_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint volume_in_one_vm check (vm_id is null or held_by is null or vm_id = held_by)
);
create unique index volume_name_key on volume (tenant_id, name) where gone_at is null;
create index volume_tenant_idx on volume (tenant_id, name, id) where gone_at is null;
create index volume_vm_idx on volume (vm_id) where gone_at is null;
create index volume_held_by_idx on volume (held_by) where gone_at is null;
create index volume_id_idx on volume (id) where gone_at is null;
create trigger volume_version before update on volume for each row execute function bump_version();
grant select, insert, update, delete on volume to berth_app;`
