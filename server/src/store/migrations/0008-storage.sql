-- In this file use cases write the columns up to delete_requested_at, and the reconciler alone
-- writes the columns from state on.

-- vm_id is the VM that a volume should be attached to, held_by the VM that has not released it. A
-- row has one of each, so a volume is never attached to two VMs.
create table volume (
  id uuid primary key,
  tenant_id uuid not null references tenant (id) on delete cascade,
  name text not null check (name ~ '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' and length(name) <= 50),
  size_gi int not null check (size_gi between 1 and 65536),
  storage_class text not null,
  snapshot_id uuid,
  snapshot_gi int,
  copied_from uuid,
  copy_object text,
  copied_gi int,
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
  settled boolean not null default false,
  observed_version text,
  observed_at timestamptz,
  gone_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint volume_in_one_vm check (vm_id is null or held_by is null or vm_id = held_by),
  constraint volume_snapshot_size check ((snapshot_id is null) = (snapshot_gi is null)),
  constraint volume_copy_of_snapshot
    check (
      (copied_from is null) = (copy_object is null)
      and (copied_from is null) = (copied_gi is null)
    )
);

create unique index volume_name_key on volume (tenant_id, name) where gone_at is null;
create index volume_tenant_idx on volume (tenant_id, name, id) where gone_at is null;
create index volume_vm_idx on volume (vm_id) where gone_at is null;
create index volume_held_by_idx on volume (held_by) where gone_at is null;
create index volume_id_idx on volume (id) where gone_at is null;
create index volume_snapshot_ref_idx on volume (snapshot_id);
create index volume_copied_from_ref_idx on volume (copied_from);

create trigger volume_version before update on volume
  for each row execute function bump_version();

create trigger volume_unsettle before update of size_gi, vm_id, delete_requested_at on volume
  for each row execute function unsettle();

alter table volume enable row level security;
alter table volume force row level security;
create policy volume_tenant_isolation on volume
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on volume to berth_app;

-- A schedule is stopped while stopped_at is later than resumed_at. The reconciler writes the
-- columns from counted_until on.
create table snapshot_schedule (
  id uuid primary key,
  tenant_id uuid not null references tenant (id) on delete cascade,
  name text not null check (name ~ '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' and length(name) <= 37),
  volume_id uuid references volume (id) on delete cascade,
  vm_id uuid references vm (id) on delete cascade,
  cron text not null,
  time_zone text not null,
  keep int not null check (keep > 0),
  accept_missing boolean not null,
  owner_id uuid not null,
  owner_name text not null,
  timed_at timestamptz not null default now(),
  paused_at timestamptz,
  resumed_at timestamptz not null default now(),
  gone_at timestamptz,
  counted_until timestamptz,
  next_due_at timestamptz,
  last_due_at timestamptz,
  last_run_at timestamptz,
  last_snapshot_id uuid,
  is_running boolean not null default false,
  refused_since timestamptz,
  failures_in_row int not null default 0,
  last_failure jsonb,
  stopped_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint snapshot_schedule_target check ((volume_id is null) <> (vm_id is null))
);

create unique index snapshot_schedule_name_key on snapshot_schedule (tenant_id, name)
  where gone_at is null;
create index snapshot_schedule_tenant_idx on snapshot_schedule (tenant_id, name, id)
  where gone_at is null;
create index snapshot_schedule_volume_idx on snapshot_schedule (volume_id);
create index snapshot_schedule_vm_idx on snapshot_schedule (vm_id);
create index snapshot_schedule_id_idx on snapshot_schedule (id) where gone_at is null;

create trigger snapshot_schedule_version before update on snapshot_schedule
  for each row execute function bump_version();

alter table snapshot_schedule enable row level security;
alter table snapshot_schedule force row level security;
create policy snapshot_schedule_tenant_isolation on snapshot_schedule
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on snapshot_schedule to berth_app;

-- The row of the volume stays when the volume is gone. A unique index makes sure that a due time
-- of a schedule has one snapshot.
create table volume_snapshot (
  id uuid primary key,
  tenant_id uuid not null references tenant (id) on delete cascade,
  volume_id uuid not null references volume (id) on delete cascade,
  volume_name text not null,
  name text not null check (name ~ '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' and length(name) <= 50),
  size_gi int not null check (size_gi > 0),
  storage_class text not null,
  snapshot_class text not null,
  schedule_id uuid references snapshot_schedule (id),
  due_at timestamptz,
  delete_requested_at timestamptz,
  state text not null default 'creating',
  state_since timestamptz not null default now(),
  explanation jsonb,
  taken_at timestamptz,
  cluster_uid text,
  failed_at timestamptz,
  settled boolean not null default false,
  observed_version text,
  observed_at timestamptz,
  gone_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint volume_snapshot_due check ((schedule_id is null) = (due_at is null))
);

create unique index volume_snapshot_name_key on volume_snapshot (tenant_id, name)
  where gone_at is null;
create unique index volume_snapshot_run_key on volume_snapshot (schedule_id, due_at);
create index volume_snapshot_tenant_idx on volume_snapshot (tenant_id, name, id)
  where gone_at is null;
create index volume_snapshot_volume_idx on volume_snapshot (volume_id);
create index volume_snapshot_id_idx on volume_snapshot (id) where gone_at is null;

create trigger volume_snapshot_version before update on volume_snapshot
  for each row execute function bump_version();

create trigger volume_snapshot_unsettle before update of delete_requested_at on volume_snapshot
  for each row execute function unsettle();

alter table volume_snapshot enable row level security;
alter table volume_snapshot force row level security;
create policy volume_snapshot_tenant_isolation on volume_snapshot
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on volume_snapshot to berth_app;

-- vm_disks are the disks that the VM had when the snapshot was requested. disks is the result
-- that the cluster reports for each. The row of the VM stays when the VM is gone.
create table vm_snapshot (
  id uuid primary key,
  tenant_id uuid not null references tenant (id) on delete cascade,
  vm_id uuid not null references vm (id) on delete cascade,
  vm_name text not null,
  name text not null check (name ~ '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' and length(name) <= 50),
  origin text not null check (origin in ('asked', 'safety', 'schedule')),
  vm_disks jsonb not null,
  nics jsonb,
  cpu int not null check (cpu > 0),
  memory_mi int not null check (memory_mi > 0),
  dedicated_cpu boolean not null,
  service_offering_id uuid references service_offering (id) on delete set null,
  schedule_id uuid references snapshot_schedule (id),
  due_at timestamptz,
  delete_requested_at timestamptz,
  state text not null default 'creating',
  state_since timestamptz not null default now(),
  explanation jsonb,
  disks jsonb,
  consistency text check (consistency in ('application', 'crash', 'powered_off')),
  taken_at timestamptz,
  cluster_uid text,
  failed_at timestamptz,
  settled boolean not null default false,
  observed_version text,
  observed_at timestamptz,
  gone_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint vm_snapshot_due check ((schedule_id is null) = (due_at is null))
);

create unique index vm_snapshot_name_key on vm_snapshot (tenant_id, name)
  where gone_at is null;
create unique index vm_snapshot_run_key on vm_snapshot (schedule_id, due_at);
create index vm_snapshot_tenant_idx on vm_snapshot (tenant_id, name, id)
  where gone_at is null;
create index vm_snapshot_vm_idx on vm_snapshot (vm_id) where gone_at is null;
create index vm_snapshot_offering_ref_idx on vm_snapshot (service_offering_id);
create index vm_snapshot_id_idx on vm_snapshot (id) where gone_at is null;

create trigger vm_snapshot_version before update on vm_snapshot
  for each row execute function bump_version();

create trigger vm_snapshot_unsettle before update of delete_requested_at on vm_snapshot
  for each row execute function unsettle();

alter table vm_snapshot enable row level security;
alter table vm_snapshot force row level security;
create policy vm_snapshot_tenant_isolation on vm_snapshot
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on vm_snapshot to berth_app;

-- Snapshots refer to their volume or VM, and VMs and volumes refer to the snapshot that they are
-- created from. The second direction can only be added here.
alter table volume
  add foreign key (snapshot_id) references volume_snapshot (id),
  add foreign key (copied_from) references vm_snapshot (id);

alter table vm
  add foreign key (copied_from) references vm_snapshot (id),
  add foreign key (restore_snapshot_id) references vm_snapshot (id),
  add foreign key (restore_safety_id) references vm_snapshot (id);
