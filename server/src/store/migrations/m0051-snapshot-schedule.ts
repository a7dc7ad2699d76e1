import { Migration } from '@mikro-orm/migrations'
import { mine, wall } from './m0001-walls.ts'

/** Snapshots that are taken again and again, and which schedule a snapshot was made by. */
export class M0051SnapshotSchedule extends Migration {
  override up(): void {
    this.addSql(schedules)
    this.addSql(wall('snapshot_schedule', mine('tenant_id')))
    for (const table of ['volume_snapshot', 'vm_snapshot']) this.addSql(madeBy(table))
  }
}

// Asked: up to `gone_at`; seen: from `counted_until` on, written by the reconciler alone. It is
// stopped while `stopped_at` is later than `resumed_at`.
const schedules = `
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
create unique index snapshot_schedule_name_key on snapshot_schedule (tenant_id, name) where gone_at is null;
create index snapshot_schedule_tenant_idx on snapshot_schedule (tenant_id, name, id) where gone_at is null;
create index snapshot_schedule_volume_idx on snapshot_schedule (volume_id);
create index snapshot_schedule_vm_idx on snapshot_schedule (vm_id);
create index snapshot_schedule_id_idx on snapshot_schedule (id) where gone_at is null;
create trigger snapshot_schedule_version before update on snapshot_schedule for each row execute function bump_version();
grant select, insert, update, delete on snapshot_schedule to berth_app;`

// A run is made once, whoever makes it.
const madeBy = (table: string): string => `
alter table ${table}
  add column schedule_id uuid references snapshot_schedule (id),
  add column due_at timestamptz,
  add constraint ${table}_due check ((schedule_id is null) = (due_at is null));
create unique index ${table}_run_key on ${table} (schedule_id, due_at);`
