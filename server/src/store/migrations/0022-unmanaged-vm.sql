-- works_from: 0022-unmanaged-vm
-- An earlier build would give an adopted VM other disks.

-- VirtualMachine objects in the namespace of a tenant that have no row in vm. The reconciler alone
-- writes the rows; an adoption deletes the row of its VM. found describes the object.
create table unmanaged_vm (
  id uuid primary key,
  tenant_id uuid not null references tenant (id) on delete cascade,
  name text not null,
  made_as uuid,
  cluster_uid text not null,
  observed_version text not null,
  found jsonb not null,
  claims text[] not null default '{}',
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create unique index unmanaged_vm_name_key on unmanaged_vm (tenant_id, name);
create index unmanaged_vm_age_idx on unmanaged_vm (tenant_id, created_at, id);

create trigger unmanaged_vm_version before update on unmanaged_vm
  for each row execute function bump_version();

alter table unmanaged_vm enable row level security;
alter table unmanaged_vm force row level security;
create policy unmanaged_vm_tenant_isolation on unmanaged_vm
  using ((select berth_platform()) or tenant_id = (select berth_tenant()));
grant select, insert, update, delete on unmanaged_vm to berth_app;

-- Use cases write these columns. adopted_uid is the VM object that the VM was adopted from.
-- root_claim is the claim of its root disk when another client named it. firmware_uuid stays the
-- same, because licences of the guest may depend on it.
alter table vm
  add column adopted_uid text,
  add column root_claim text,
  add column firmware_uuid text;

-- An adopted NIC keeps its MAC address, which may be of another range.
alter table nic
  drop constraint nic_mac_check,
  add constraint nic_mac_check check (mac ~ '^[0-9a-f]{2}(:[0-9a-f]{2}){5}$');
