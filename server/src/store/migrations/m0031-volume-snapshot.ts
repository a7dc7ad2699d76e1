import { Migration } from '@mikro-orm/migrations'
import { mine, wall } from './m0001-walls.ts'

/** What volumes were at a moment, and which volumes began as that. */
export class M0031VolumeSnapshot extends Migration {
  override up(): void {
    this.addSql(snapshots)
    this.addSql(wall('volume_snapshot', mine('tenant_id')))
    this.addSql(origins)
  }
}

// Asked: up to `delete_requested_at`; seen: from `state` on, written by the reconciler alone. The
// row of the volume stays when the volume is gone.
const snapshots = `
create table volume_snapshot (
  id uuid primary key,
  tenant_id uuid not null references tenant (id) on delete cascade,
  volume_id uuid not null references volume (id) on delete cascade,
  volume_name text not null,
  name text not null check (name ~ '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' and length(name) <= 50),
  size_gi int not null check (size_gi > 0),
  storage_class text not null,
  snapshot_class text not null,
  delete_requested_at timestamptz,
  state text not null default 'creating',
  state_since timestamptz not null default now(),
  explanation jsonb,
  taken_at timestamptz,
  cluster_uid text,
  failed_at timestamptz,
  seen_version text,
  seen_at timestamptz,
  gone_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index volume_snapshot_name_key on volume_snapshot (tenant_id, name) where gone_at is null;
create index volume_snapshot_tenant_idx on volume_snapshot (tenant_id, name, id) where gone_at is null;
create index volume_snapshot_volume_idx on volume_snapshot (volume_id);
create index volume_snapshot_id_idx on volume_snapshot (id) where gone_at is null;
create trigger volume_snapshot_version before update on volume_snapshot for each row execute function bump_version();
grant select, insert, update, delete on volume_snapshot to berth_app;`

const origins = `
alter table volume
  add column snapshot_id uuid references volume_snapshot (id),
  add column snapshot_gi int,
  add constraint volume_snapshot_size check ((snapshot_id is null) = (snapshot_gi is null));
create index volume_snapshot_ref_idx on volume (snapshot_id);`
