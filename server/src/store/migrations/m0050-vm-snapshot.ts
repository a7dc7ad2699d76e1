import { Migration } from '@mikro-orm/migrations'
import { mine, wall } from './m0001-walls.ts'

/** What machines were at a moment, and which machine is to become that again. */
export class M0050VmSnapshot extends Migration {
  override up(): void {
    this.addSql(snapshots)
    this.addSql(wall('vm_snapshot', mine('tenant_id')))
    this.addSql(restores)
    this.addSql(copies)
  }
}

// Asked: up to `delete_requested_at`; seen: from `state` on, written by the reconciler alone.
// `machine_disks` are the disks that the machine had when it was asked for, `disks` what the
// cluster says became of each. The row of the machine stays when the machine is gone.
const snapshots = `
create table vm_snapshot (
  id uuid primary key,
  tenant_id uuid not null references tenant (id) on delete cascade,
  vm_id uuid not null references vm (id) on delete cascade,
  vm_name text not null,
  name text not null check (name ~ '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' and length(name) <= 50),
  origin text not null check (origin in ('asked', 'safety', 'schedule')),
  machine_disks jsonb not null,
  cpu int not null check (cpu > 0),
  memory_mi int not null check (memory_mi > 0),
  dedicated_cpu boolean not null,
  service_offering_id uuid references service_offering (id) on delete set null,
  delete_requested_at timestamptz,
  state text not null default 'creating',
  state_since timestamptz not null default now(),
  explanation jsonb,
  disks jsonb,
  consistency text check (consistency in ('application', 'crash', 'powered_off')),
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
create unique index vm_snapshot_name_key on vm_snapshot (tenant_id, name) where gone_at is null;
create index vm_snapshot_tenant_idx on vm_snapshot (tenant_id, name, id) where gone_at is null;
create index vm_snapshot_vm_idx on vm_snapshot (vm_id) where gone_at is null;
create index vm_snapshot_offering_ref_idx on vm_snapshot (service_offering_id);
create index vm_snapshot_id_idx on vm_snapshot (id) where gone_at is null;
create trigger vm_snapshot_version before update on vm_snapshot for each row execute function bump_version();
grant select, insert, update, delete on vm_snapshot to berth_app;`

// Asked: which restore is wanted, of what, and what is to be kept before. Seen: the one that the
// cluster was told of, and the last one that is over.
const restores = `
alter table vm
  add column restore_id uuid,
  add column restore_snapshot_id uuid references vm_snapshot (id),
  add column restore_safety_id uuid references vm_snapshot (id),
  add column restore_begun_id uuid,
  add column restored_id uuid,
  add constraint vm_restore_of_snapshot check ((restore_id is null) = (restore_snapshot_id is null));
create index vm_restore_snapshot_ref_idx on vm (restore_snapshot_id);
create index vm_restore_safety_ref_idx on vm (restore_safety_id);`

// A copy of a machine begins as the snapshot was: `copy_object` is what bears a disk's content in
// the cluster.
const copies = `
alter table vm
  add column hostname text,
  add column copied_from uuid references vm_snapshot (id),
  add column copy_object text,
  add constraint vm_copy_of_snapshot check (copy_object is null or copied_from is not null);
create index vm_copied_from_ref_idx on vm (copied_from);
alter table volume
  add column copied_from uuid references vm_snapshot (id),
  add column copy_object text,
  add column copied_gi int,
  add constraint volume_copy_of_snapshot check ((copied_from is null) = (copy_object is null) and (copied_from is null) = (copied_gi is null));
create index volume_copied_from_ref_idx on volume (copied_from);`
