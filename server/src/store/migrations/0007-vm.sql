-- Use cases write the columns up to nics_live_until, and the reconciler alone writes the columns
-- from state on. generation counts what users requested; applied_generation is the one that the
-- cluster has. vmi_command concerns the VMI in vmi_command_uid and no other.
create table vm (
  id uuid primary key,
  tenant_id uuid not null references tenant (id) on delete cascade,
  name text not null check (name ~ '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' and length(name) <= 50),
  display_name text not null,
  template_id uuid references vm_template (id) on delete set null,
  template_name text not null,
  image text not null,
  source_type text not null default 'container' check (source_type in ('container', 'iso')),
  iso_claim text,
  iso_size_gi int check (iso_size_gi > 0),
  iso_inserted boolean not null default false,
  os_type text not null check (os_type in ('linux', 'windows')),
  secure_boot boolean not null default false,
  service_offering_id uuid references service_offering (id) on delete set null,
  cpu int not null check (cpu > 0),
  memory_mi int not null check (memory_mi > 0),
  dedicated_cpu boolean not null default false,
  root_disk text not null check (root_disk in ('persistent', 'ephemeral')),
  boot_disk_size_gi int not null check (boot_disk_size_gi > 0),
  storage_class text,
  hostname text,
  -- A clone begins as this snapshot; copy_object holds the content of its root disk.
  copied_from uuid,
  copy_object text,
  user_data bytea not null,
  tags text[] not null default '{}',
  delete_protection boolean not null default false,
  wanted_power text not null default 'on' check (wanted_power in ('on', 'off')),
  vmi_command text check (vmi_command in ('restart', 'pause', 'resume')),
  vmi_command_uid text,
  forced boolean not null default false,
  generation int not null default 1,
  restore_id uuid,
  restore_snapshot_id uuid,
  restore_safety_id uuid,
  delete_requested_at timestamptz,
  nics_live_until timestamptz,
  state text not null default 'Pending',
  state_since timestamptz not null default now(),
  explanation jsonb,
  disk_progress int,
  ip text,
  -- The column is json because the text is compared as it was written. jsonb would change it.
  observed_nics json,
  guest_os text,
  stays text,
  vmi_uid text,
  host text,
  restart_required boolean not null default false,
  cluster_uid text,
  disk_uid text,
  iso_uid text,
  keeps_guest_state boolean,
  secret_uid text,
  applied_generation int not null default 0,
  -- The size before a restore. It is put back when the restore fails.
  restore_former jsonb,
  restore_begun_id uuid,
  restored_id uuid,
  failed_at timestamptz,
  settled boolean not null default false,
  observed_version text,
  observed_at timestamptz,
  gone_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (source_type = 'container' or root_disk = 'persistent'),
  constraint vm_vmi_command_uid check ((vmi_command is null) = (vmi_command_uid is null)),
  constraint vm_restore_of_snapshot
    check ((restore_id is null) = (restore_snapshot_id is null)),
  constraint vm_copy_of_snapshot check (copy_object is null or copied_from is not null)
);

create unique index vm_name_key on vm (tenant_id, name) where gone_at is null;
create index vm_tenant_idx on vm (tenant_id, name, id) where gone_at is null;
create index vm_id_idx on vm (id) where gone_at is null;
create index vm_template_ref_idx on vm (template_id);
create index vm_offering_ref_idx on vm (service_offering_id);
create index vm_copied_from_ref_idx on vm (copied_from);
create index vm_restore_snapshot_ref_idx on vm (restore_snapshot_id);
create index vm_restore_safety_ref_idx on vm (restore_safety_id);

-- The usage of a tenant is summed from this index alone, without reading rows.
create index vm_share_idx on vm (tenant_id)
  include (cpu, memory_mi, root_disk, boot_disk_size_gi, iso_size_gi, iso_inserted, iso_uid)
  where gone_at is null;

create trigger vm_version before update on vm
  for each row execute function bump_version();

create trigger vm_unsettle
  before update of generation, iso_inserted, restore_id, delete_requested_at, failed_at on vm
  for each row execute function unsettle();

alter table vm enable row level security;
alter table vm force row level security;
create policy vm_tenant_isolation on vm
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on vm to berth_app;

-- The row of a VM stays when the VM is gone, and its events stay with it. Events carry the time of
-- the statement: transactions wait for each other at the row of the VM, and the later one must have
-- the later time.
create table vm_event (
  id uuid primary key,
  tenant_id uuid not null,
  vm_id uuid not null references vm (id) on delete cascade,
  at timestamptz not null default clock_timestamp(),
  code text not null,
  from_state text not null,
  to_state text not null,
  explanation jsonb
);

create index vm_event_vm_idx on vm_event (vm_id, at, id);
create index vm_event_tenant_idx on vm_event (tenant_id);
create index vm_event_at_idx on vm_event (at);

alter table vm_event enable row level security;
alter table vm_event force row level security;
create policy vm_event_tenant_isolation on vm_event
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, delete on vm_event to berth_app;

-- The table holds only the hash of a ticket. A ticket is used by deleting it, so one of several
-- clients that bring the same ticket wins.
create table vm_console_ticket (
  secret_hash bytea primary key,
  tenant_id uuid not null,
  vm_id uuid not null references vm (id) on delete cascade,
  kind text not null check (kind in ('serial', 'vnc')),
  user_id uuid not null references user_account (id) on delete cascade,
  credential text not null check (credential in ('session', 'token', 'api_key')),
  credential_id uuid not null,
  expires_at timestamptz not null
);

create index vm_console_ticket_vm_idx on vm_console_ticket (vm_id);
create index vm_console_ticket_user_idx on vm_console_ticket (user_id);
create index vm_console_ticket_expires_idx on vm_console_ticket (expires_at);

alter table vm_console_ticket enable row level security;
alter table vm_console_ticket force row level security;
create policy vm_console_ticket_tenant_isolation on vm_console_ticket
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on vm_console_ticket to berth_app;

-- KubeVirt drops the previous console session without a reason. From this table the replica of that
-- session learns that another one took over.
create table vm_console_slot (
  vm_id uuid not null references vm (id) on delete cascade,
  kind text not null check (kind in ('serial', 'vnc')),
  tenant_id uuid not null,
  console_session_id uuid not null,
  taken_at timestamptz not null default now(),
  primary key (vm_id, kind)
);

alter table vm_console_slot enable row level security;
alter table vm_console_slot force row level security;
create policy vm_console_slot_tenant_isolation on vm_console_slot
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on vm_console_slot to berth_app;

-- A guest may print anything, even a password, so the content is encrypted.
create table vm_boot_log (
  vm_id uuid not null references vm (id) on delete cascade,
  vmi_uid text not null,
  tenant_id uuid not null,
  started_at timestamptz,
  ended_at timestamptz not null default now(),
  byte_count int not null,
  is_cut boolean not null,
  content bytea not null,
  primary key (vm_id, vmi_uid)
);

alter table vm_boot_log enable row level security;
alter table vm_boot_log force row level security;
create policy vm_boot_log_tenant_isolation on vm_boot_log
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on vm_boot_log to berth_app;

-- The row of a VM that is gone stays as a record; the output of its guest does not.
create function forget_vm() returns trigger
  language plpgsql
as $$
begin
  delete from vm_boot_log where vm_id = new.id;
  delete from vm_console_ticket where vm_id = new.id;
  delete from vm_console_slot where vm_id = new.id;
  return null;
end
$$;

create trigger vm_forget after update of gone_at on vm
  for each row when (new.gone_at is not null) execute function forget_vm();
