create table operation (
  id uuid primary key,
  tenant_id uuid not null references tenant (id) on delete cascade,
  kind text not null,
  target_kind text not null,
  target_id uuid not null,
  target_name text not null default '',
  actor_id uuid not null,
  actor_name text not null,
  state text not null default 'pending'
    check (state in ('pending', 'running', 'succeeded', 'failed', 'cancelled', 'superseded')),
  steps jsonb not null default '[]',
  progress int check (progress between 0 and 100),
  fault_code text,
  fault_detail jsonb,
  cancellable boolean not null default false,
  cancel_requested_at timestamptz,
  superseded_by uuid references operation (id) on delete set null,
  idempotency_key text,
  request_id text,
  payload_version int not null default 1,
  payload jsonb not null default '{}',
  deadline timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((finished_at is null) = (state in ('pending', 'running')))
);

create index operation_tenant_idx on operation (tenant_id, created_at desc, id);
create index operation_target_idx on operation (target_kind, target_id, created_at desc);
create index operation_open_idx on operation (deadline) where finished_at is null;
create index operation_superseded_idx on operation (superseded_by)
  where superseded_by is not null;

create trigger operation_version before update on operation
  for each row execute function bump_version();

create function operation_final() returns trigger
  language plpgsql
as $$
begin
  if old.finished_at is not null and new.state is distinct from old.state then
    raise exception 'operation % is final', old.id using errcode = 'check_violation';
  end if;
  return new;
end
$$;

create trigger operation_final before update on operation
  for each row execute function operation_final();

alter table operation enable row level security;
alter table operation force row level security;
create policy operation_tenant_isolation on operation
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on operation to berth_app;

-- One row for each key that a reconciler must process. notified counts the notifications. A
-- reconcile that started with a lower count leaves the row due, so a notification during a
-- reconcile is not lost. A key with nothing left to do is deleted. Epochs come from one
-- sequence, so a holder from before the deletion is older than every later holder.
create sequence work_epoch;
grant usage on sequence work_epoch to berth_app;

create table work (
  kind text not null,
  object_id uuid not null,
  tenant_id uuid not null references tenant (id) on delete cascade,
  due_at timestamptz not null default now(),
  notified bigint not null default 1,
  lease_owner text,
  lease_epoch bigint not null default 0,
  lease_until timestamptz,
  attempts int not null default 0,
  poisoned_at timestamptz,
  last_error text,
  created_at timestamptz not null default now(),
  primary key (kind, object_id)
);

create index work_due_idx on work (tenant_id, due_at) where poisoned_at is null;

alter table work enable row level security;
alter table work force row level security;
create policy work_tenant_isolation on work
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on work to berth_app;

create table leadership (
  name text primary key,
  holder text not null,
  epoch bigint not null,
  expires_at timestamptz not null
);

grant select, insert, update, delete on leadership to berth_app;

-- Every tenant reads changes without a tenant, and only the platform writes them. A change is never
-- updated; retention deletes it.
create table change_log (
  xid xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity primary key,
  tenant_id uuid,
  kind text not null,
  object_id uuid not null,
  version int not null,
  at timestamptz not null default now()
);

create index change_log_order_idx on change_log (xid, id);
create index change_log_object_idx on change_log (object_id, version);

alter table change_log enable row level security;
alter table change_log force row level security;
create policy change_log_tenant_isolation on change_log
  using (
    (select berth_platform()) or tenant_id = (select berth_tenant()) or tenant_id is null
  )
  with check ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, delete on change_log to berth_app;

-- The highest position that retention has deleted. A client that resumes from before it has missed
-- changes.
create table change_horizon (
  only_row boolean primary key default true check (only_row),
  xid xid8 not null default '0',
  id bigint not null default 0
);

insert into change_horizon default values;
grant select, update on change_horizon to berth_app;
